"""One request while it is being written: its tokens, its text, what may come next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from irag.errors import PromptTooLong
from irag.llm.grammars import Grammar
from irag.llm.replies import Written, too_long
from irag.tools import Request

if TYPE_CHECKING:
    import torch

__all__ = ["Reader", "Row"]


@dataclass(frozen=True, slots=True)
class Reader:
    """A tokenizer with the tokens that end a reply; turns requests into prompts."""

    tokenizer: Any
    ends: frozenset[int]

    def encode(self, text: str) -> list[int]:
        """Token ids of a text; special tokens only where the text spells them."""
        return list(self.tokenizer(text, add_special_tokens=False)["input_ids"])

    def decode(self, tokens: list[int]) -> str:
        """The text of tokens, without special ones."""
        return str(
            self.tokenizer.decode(
                tokens, skip_special_tokens=True, clean_up_tokenization_spaces=False
            )
        )

    def prompt(self, request: Request) -> list[int]:
        """Token ids of the chat template filled with the messages, then the prefix."""
        turns = [{"role": message.role, "content": message.text} for message in request.messages]
        if self.tokenizer.chat_template:
            text = self.tokenizer.apply_chat_template(
                turns, tokenize=False, add_generation_prompt=True, enable_thinking=False
            )
        else:  # a base model: it continues the text
            text = "\n\n".join(turn["content"] for turn in turns) + "\n\n"
        return self.encode(text + request.prefix)


@dataclass(slots=True)
class Row:
    """A request of a batch. `prompt` are the tokens to read, `feed` those written but not read."""

    index: int
    request: Request
    reader: Reader
    prompt: list[int]
    grammar: Grammar | None = None
    tokens: list[int] = field(default_factory=list)
    feed: list[int] = field(default_factory=list)
    written: Written = field(default_factory=Written)
    done: bool = False
    generator: torch.Generator | None = None

    def begin(self, window: int) -> PromptTooLong | None:
        """Write what the schema forces at the start; the error of a prompt that does not fit."""
        self.written.prompt_tokens = len(self.prompt)
        if self.grammar:
            if self.request.prefix:
                self.grammar.wrote_text(self.request.prefix)
            self._jump()
            self.prompt, self.feed = self.prompt + self.feed, []
        return too_long(self.written.prompt_tokens, self.request, window)

    def take(self, logits: torch.Tensor) -> None:
        """Choose the next token from logits of shape (vocabulary,)."""
        if self.request.logprobs and not self.tokens:
            self.written.logprobs = self._alternatives(logits)
        if self.grammar:
            self.grammar.mask(logits)
        token = self._choose(logits)
        if token in self.reader.ends:
            self.done = True
            return
        self.tokens.append(token)
        self.feed = [token]
        if self.grammar:
            self.grammar.wrote(token)
            self._jump()
        self._look()

    def show(self, emit: Callable[[int, str], None]) -> None:
        """Tell what is written so far; half a character at the end is held back."""
        emit(self.index, self.written.visible(self.request).rstrip("\ufffd"))

    def _look(self) -> None:
        """Update the text and see whether the reply ends here."""
        self.written.text = self.reader.decode(self.tokens)
        self.written.completion_tokens = len(self.tokens)
        if self.written.stopped(self.request) or (self.grammar and self.grammar.complete()):
            self.done = True
        elif len(self.tokens) >= self.request.max_tokens:
            self.done, self.written.finish = True, "length"

    def _jump(self) -> None:
        """Write the text that must follow, without asking the model, if its tokens spell it."""
        assert self.grammar
        forced = self.grammar.forced()
        tokens = self.reader.encode(forced) if forced else []
        room = self.request.max_tokens - len(self.tokens)
        if not tokens or len(tokens) >= room:
            return
        if self.reader.decode(self.tokens + tokens) != self.reader.decode(self.tokens) + forced:
            return
        self.grammar.wrote_text(forced)
        self.tokens += tokens
        self.feed += tokens

    def _choose(self, logits: torch.Tensor) -> int:
        import torch

        if self.request.temperature <= 0:
            return int(logits.argmax())
        if self.generator is None:
            self.generator = torch.Generator(logits.device).manual_seed(self.request.seed)
        chances = torch.softmax(logits / self.request.temperature, dim=-1)
        return int(torch.multinomial(chances, 1, generator=self.generator))

    def _alternatives(self, logits: torch.Tensor) -> tuple[tuple[str, float], ...]:
        import torch

        best = torch.log_softmax(logits, dim=-1).topk(min(self.request.logprobs, len(logits)))
        return tuple(
            (str(self.reader.tokenizer.decode([int(token)])), float(logprob))
            for token, logprob in zip(best.indices, best.values, strict=True)
        )
