"""Experiments: plays methods over questions, scores and compares them; never draws a page."""
