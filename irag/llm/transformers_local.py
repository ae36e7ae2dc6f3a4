"""transformers in this process: fast at reading long prompts where the processor has bf16 units."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from irag import models
from irag.errors import IragError, LLMError, ModelError
from irag.llm.attention import last_layer_attention
from irag.llm.decoding import Decoder, Prefixes
from irag.llm.grammars import Grammars
from irag.llm.packing import pack
from irag.llm.rows import Reader, Row
from irag.llm.waiting import results_of
from irag.models.hub import reachable
from irag.models.processor import has_bf16
from irag.settings import Settings
from irag.tools import Cancel, EmitText, Flags, Request
from irag.types import Completion

__all__ = ["BATCH_TOKENS", "TransformersLocal", "open_transformers"]

BATCH_TOKENS = 16_384
"""Prompt and reply tokens written as one batch: 200 MB of keys and values for 0.5 billion weights,
500 MB for 1.5 billion. A larger batch is split."""


class TransformersLocal:
    """One model in this process, batch first; callers in many threads take turns.

    The keys and values of the last few prompts are kept, so a beginning shared with one of them
    is not read again.
    """

    flags = Flags(streams=True, schema=True, logprobs=True, prefix=True, concurrent=False)

    def __init__(
        self,
        model: Any,  # noqa: ANN401  transformers' own
        tokenizer: Any,  # noqa: ANN401
        *,
        name: str,
        window: int = 4096,
        prefixes: Prefixes | None = None,
    ) -> None:
        self.name = name
        self.window = min(window, getattr(model.config, "max_position_embeddings", window))
        ends = _ends(model, tokenizer)
        self._reader = Reader(tokenizer, frozenset(ends))
        self._decoder = Decoder(model, prefixes)
        self._grammars = Grammars(tokenizer, model.config.vocab_size, ends)
        # One thread for good: OpenMP makes new threads for each thread that calls it.
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="transformers")

    def count(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text by the model's tokenizer."""
        return [len(self._reader.encode(text)) for text in texts]

    def generate(
        self, requests: Sequence[Request], emit: EmitText, cancel: Cancel
    ) -> list[Completion | IragError]:
        """One result per request, in order; a stop takes effect after a token or 256 read."""
        results: dict[int, Completion | IragError] = {}
        rows: list[Row] = []
        for index, request in enumerate(requests):
            try:
                rows.append(self._row(index, request))
            except IragError as error:
                results[index] = error
        if rows:
            work = self._worker.submit(self._write_all, rows, emit, cancel)
            results |= results_of([work], cancel)[0]
        return [results[index] for index in range(len(requests))]

    def attention(self, request: Request, reply: str) -> tuple[tuple[str, float], ...]:
        """(token, weight) over the prompt and the reply to it: what the reply looked at.

        Weights sum to 1; see irag.llm.attention. () for an empty reply. It reads both again.
        """
        prompt, written = self._reader.prompt(request), self._reader.encode(reply)
        work = self._worker.submit(last_layer_attention, self._decoder.model, prompt, written)
        texts = [self._reader.decode([token]) for token in (*prompt, *written)]
        return tuple(zip(texts, work.result(), strict=True)) if written else ()

    def close(self) -> None:
        """Free the weights, once nobody is using them."""
        self._worker.shutdown(wait=True, cancel_futures=True)
        self._decoder.close()

    def _write_all(
        self, rows: list[Row], emit: EmitText, cancel: Cancel
    ) -> dict[int, Completion | IragError]:
        results: dict[int, Completion | IragError] = {}
        for batch in _batches(rows):
            results |= self._write(batch, emit, cancel)
        return results

    def _row(self, index: int, request: Request) -> Row:
        grammar = self._grammars.grammar(request.schema) if request.schema else None
        row = Row(index, request, self._reader, self._reader.prompt(request), grammar)
        error = row.begin(self.window)
        if error:
            raise error
        return row

    def _write(
        self, batch: list[Row], emit: EmitText, cancel: Cancel
    ) -> dict[int, Completion | IragError]:
        try:
            self._decoder.write(batch, emit, cancel)
        except RuntimeError as error:  # what torch raises, for lack of memory above all
            reason = LLMError(f"The model could not answer ({error}).")
            return {row.index: reason for row in batch}
        return {row.index: row.written.completion(row.request) for row in batch}


def _batches(rows: list[Row]) -> Iterator[list[Row]]:
    """Rows of like length together, each batch within BATCH_TOKENS when padded."""
    batch: list[Row] = []
    for row in sorted(rows, key=lambda row: -len(row.prompt)):
        longest = batch[0] if batch else row
        size = len(longest.prompt) + max(r.request.max_tokens for r in (*batch, row))
        if batch and size * (len(batch) + 1) > BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch


def _ends(model: Any, tokenizer: Any) -> list[int]:  # noqa: ANN401
    """Tokens that end a reply, as the model's and the tokenizer's files name them."""
    named = (
        getattr(model.generation_config, "eos_token_id", None),
        getattr(model.config, "eos_token_id", None),
        tokenizer.eos_token_id,
    )
    ends = {end for ids in named for end in (ids if isinstance(ids, list) else [ids])}
    return sorted(end for end in ends if end is not None)


def _load(source: str, offline: bool) -> tuple[Any, Any]:
    """(model, tokenizer) of a folder or a hub id; no code of theirs is ever run."""
    try:
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer
    except ImportError as error:
        raise ModelError("hf: needs two packages: pip install torch transformers") from error
    device = "cuda" if torch.cuda.is_available() else "cpu"
    dtype = torch.bfloat16 if has_bf16(device) else torch.float32
    try:
        tokenizer = AutoTokenizer.from_pretrained(source, local_files_only=offline)
        model = AutoModelForCausalLM.from_pretrained(source, dtype=dtype, local_files_only=offline)
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        first = (str(error) or type(error).__name__).splitlines()[0]
        raise ModelError(f"transformers could not open {source}: {first}") from error
    model.to(device).eval()
    if device == "cpu" and dtype is torch.bfloat16:
        pack(model)
    return model, tokenizer


def _hub_model(name: str, settings: Settings) -> tuple[Any, Any]:
    try:
        return _load(name, offline=True)
    except ModelError as error:
        if not reachable(settings.hub_timeout):
            raise ModelError(
                f"{name} is no folder, no model of the catalogue, and not among the models already "
                "fetched from the Hugging Face hub, which cannot be reached from here. Name a "
                f"folder, or one of: {', '.join(_known())}."
            ) from error
    return _load(name, offline=False)


def _known() -> list[str]:
    return sorted(name for name, entry in models.CATALOGUE.items() if entry.kind == "llm")


def open_transformers(rest: str, settings: Settings) -> TransformersLocal:
    """The spec `hf:<catalogue name, folder or hub id>`.

    A catalogue model is converted the first time. Raises ModelError for weights that are missing,
    damaged or not to be had.
    """
    folder = Path(rest).expanduser()
    if rest in models.CATALOGUE:
        loaded = _load(str(models.convert(rest, settings.models)), offline=True)
    elif folder.is_dir():
        loaded = _load(str(folder), offline=True)
    else:
        loaded = _hub_model(rest, settings)
    return TransformersLocal(*loaded, name=f"hf:{rest}", window=settings.window)
