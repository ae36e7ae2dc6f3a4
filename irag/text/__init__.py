"""What a text is made of (sentences, tokens, language) and when two answers are the same.

The only home of these, for English and Chinese; it never reads a file and knows no model.
"""

from irag.text.answers import exact_match, is_yes_no, locate, normalise_answer, token_f1
from irag.text.splitting import sentences
from irag.text.variants import is_refusal, lenient_form, official_f1, official_form
from irag.text.words import bigrams, clean, language_of, plain, retrieval_terms, tokens, word_set

__all__ = [
    "bigrams",
    "clean",
    "exact_match",
    "is_refusal",
    "is_yes_no",
    "language_of",
    "lenient_form",
    "locate",
    "normalise_answer",
    "official_f1",
    "official_form",
    "plain",
    "retrieval_terms",
    "sentences",
    "token_f1",
    "tokens",
    "word_set",
]
