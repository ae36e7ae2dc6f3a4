"""Vectors and ranked lists: dense, BM25 and their fusion; it never knows what a corpus is."""
