"""Iterative retrieval-augmented generation, in process: methods, traces, corpora, models.

Never imports streamlit, never prints, and does no work on import.
"""

__version__ = "0.1.0"
