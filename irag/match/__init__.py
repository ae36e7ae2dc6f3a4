"""Is this the same entity or triple? Never looks anything up: only the words decide."""

from irag.match.keys import entity_key, ground, same_triple, title_key, triple_key

__all__ = ["entity_key", "ground", "same_triple", "title_key", "triple_key"]
