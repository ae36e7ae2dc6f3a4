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
    """Follows one reply: masks logits, is told what was written, knows what must follow."""

    def __init__(self, matcher: Any, vocabulary: int) -> None:  # noqa: ANN401  xgrammar's
        import xgrammar

        self._matcher = matcher
        self._mask = xgrammar.allocate_token_bitmask(1, vocabulary)

    def mask(self, logits: torch.Tensor) -> None:
        """Forbid, in place, the tokens the schema does not allow next; logits are (vocabulary,)."""
        import xgrammar

        self._matcher.fill_next_token_bitmask(self._mask)
        xgrammar.apply_token_bitmask_inplace(logits[None], self._mask.to(logits.device))

    def wrote(self, token: int) -> None:
        """Go past a token."""
        self._matcher.accept_token(token)

    def wrote_text(self, text: str) -> bool:
        """Go past a text; False, and nothing changed, when the schema does not allow it."""
        return bool(self._matcher.accept_string(text))

    def forced(self) -> str:
        """The text that must follow, up to the next choice; the model need not be asked for it."""
        return "" if self._matcher.is_terminated() else self._matcher.find_jump_forward_string()

    def complete(self) -> bool:
        """Whether nothing can follow."""
        if self._matcher.is_terminated():
            return True
        if not self._matcher.is_completed():
            return False
        self._matcher.fill_next_token_bitmask(self._mask)
        allowed = sum(int(word).bit_count() for word in self._mask[0].numpy().view("uint32"))
        return allowed <= len(self._matcher.stop_token_ids)


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
