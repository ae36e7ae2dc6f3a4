"""xgrammar for transformers: which tokens a JSON schema allows next."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from irag.errors import LLMError, ModelError
from irag.llm.chat import closed

if TYPE_CHECKING:
    import torch

__all__ = ["Grammar", "Grammars"]


class Grammar:
    """Follows one reply: masks logits, is told what was written, says when it is complete."""

    def __init__(self, matcher: Any, vocabulary: int) -> None:  # noqa: ANN401  xgrammar's
        import xgrammar

        self._matcher = matcher
        self._mask = xgrammar.allocate_token_bitmask(1, vocabulary)
        self.complete = False

    def start(self, prefix: str) -> str:
        """Go past a prefix where the schema allows it, and what must follow; returns the latter."""
        if prefix:
            self._matcher.accept_string(prefix)
        return self._forced()

    def mask(self, logits: torch.Tensor) -> None:
        """Forbid, in place, every token the schema does not allow next; logits are (vocabulary,)."""
        import xgrammar

        self._matcher.fill_next_token_bitmask(self._mask)
        xgrammar.apply_token_bitmask_inplace(logits[None], self._mask.to(logits.device))

    def wrote(self, token: int) -> str:
        """Go past a token; returns the text that closes the reply when nothing else can follow."""
        self._matcher.accept_token(token)
        if self._matcher.is_terminated():
            self.complete = True
            return ""
        ahead = self._matcher.fork()
        forced = ahead.find_jump_forward_string()
        ahead.accept_string(forced)
        self.complete = bool(ahead.is_completed() and not ahead.find_jump_forward_string())
        return forced if self.complete else ""

    def _forced(self) -> str:
        forced = str(self._matcher.find_jump_forward_string())
        self._matcher.accept_string(forced)
        return forced


class Grammars:
    """Compiles schemas for one tokenizer; a schema used again costs nothing."""

    def __init__(self, tokenizer: Any, vocabulary: int, ends: list[int]) -> None:  # noqa: ANN401
        try:
            import xgrammar
        except ImportError as error:
            raise ModelError("Schemas need xgrammar: pip install xgrammar") from error
        self._vocabulary = vocabulary
        described = xgrammar.TokenizerInfo.from_huggingface(
            tokenizer, vocab_size=vocabulary, stop_token_ids=ends
        )
        self._compiler = xgrammar.GrammarCompiler(described)

    def grammar(self, schema: str) -> Grammar:
        """A fresh grammar of a JSON schema, on one line; LLMError when it is no schema."""
        import xgrammar

        try:
            compiled = self._compiler.compile_json_schema(
                json.dumps(closed(schema)), any_whitespace=False
            )
        except (RuntimeError, ValueError) as error:
            raise LLMError(f"The schema of this request cannot be followed: {error}") from error
        return Grammar(xgrammar.GrammarMatcher(compiled), self._vocabulary)
