"""A catalogue GGUF rewritten once as a bf16 folder that transformers opens fast."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from irag.errors import ModelError, UserError
from irag.models.catalogue import Entry, File, find
from irag.models.stored import digest, path, verify
from irag.models.transfer import Transfer
from irag.models.workspace import locked, put, workspace

__all__ = ["convert", "converted"]

_MANIFEST = "irag-converted.json"
_FORMAT = "irag-converted-1"
_OUTPUT, _EMBEDDING = "lm_head.weight", "model.embed_tokens.weight"
_QUANTISATION_NOISE = 0.1  # relative; 4 to 8 bits leave 0.01 to 0.07, other matrices give over 1


def converted(name: str, models: Path) -> Path:
    """The bf16 folder of a model; ModelError, with the command that helps, when there is none."""
    entry = find(name)
    folder = models / f"{name}-bf16"
    try:
        verify(folder, _manifest(folder, entry))
    except ModelError as error:
        raise ModelError(
            f"{name} is not ready for transformers: {error} "
            f"Make it so: python -m irag models convert {name}"
        ) from error
    return folder


def convert(name: str, models: Path) -> Path:
    """The bf16 folder of a model, made from its verified GGUF unless it is there whole.

    About a minute for 1.5 billion weights. UserError for a model that is no LLM; ModelError when
    the GGUF is missing or cannot be read.
    """
    entry = find(name)
    if entry.kind != "llm":
        raise UserError(f"{name} is no LLM: only an LLM's GGUF file is converted.")
    try:
        return converted(name, models)
    except ModelError:
        gguf = path(name, models)
    with locked(models, f"{name}-bf16", Transfer(0)):
        try:
            return converted(name, models)  # another process may have made it meanwhile
        except ModelError:
            return _make(entry, gguf, models)


def _make(entry: Entry, gguf: Path, models: Path) -> Path:
    name = f"{entry.name}-bf16"
    try:
        with workspace(models, name) as work:
            folder = work / "files"
            folder.mkdir()
            _rewrite(gguf, folder)
            _write_manifest(folder, entry)
            put(folder, models / name)
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise ModelError(f"{entry.name} could not be converted ({error}).") from error
    return converted(entry.name, models)


def _rewrite(gguf: Path, folder: Path) -> None:
    import torch
    from safetensors.torch import save_file
    from transformers import AutoModelForCausalLM, AutoTokenizer

    _quieten()
    source = {"pretrained_model_name_or_path": str(gguf.parent), "gguf_file": gguf.name}
    model = AutoModelForCausalLM.from_pretrained(**source, dtype=torch.bfloat16)
    weights, config = dict(model.state_dict()), model.config
    config.tie_word_embeddings = _tie(weights)
    if hasattr(config, "quantization_config"):
        del config.quantization_config  # the weights are plain now
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    config.save_pretrained(folder)
    model.generation_config.save_pretrained(folder)
    AutoTokenizer.from_pretrained(**source).save_pretrained(folder)


def _quieten() -> None:
    """No progress bars, no advice on other ways to open a GGUF: callers say what happens."""
    from transformers.utils import logging

    logging.disable_progress_bar()
    logging.set_verbosity_error()


def _tie(weights: dict[str, Any]) -> bool:
    """Whether output and embedding are one matrix; if so `weights` keeps it once.

    A GGUF may hold a tied matrix twice, the output one less coarsely quantised: that one is kept.
    """
    output, embedding = weights.get(_OUTPUT), weights[_EMBEDDING]
    if output is None:
        return True
    if output.shape != embedding.shape:
        return False
    distance = (output.float() - embedding.float()).norm() / embedding.float().norm()
    if distance > _QUANTISATION_NOISE:
        return False
    weights[_EMBEDDING] = weights.pop(_OUTPUT)
    return True


def _write_manifest(folder: Path, entry: Entry) -> None:
    files = [
        asdict(File(file.name, file.stat().st_size, digest(file)))
        for file in sorted(folder.iterdir())
    ]
    manifest = {"format": _FORMAT, "source": entry.files[0].sha256, "files": files}
    (folder / _MANIFEST).write_text(json.dumps(manifest, indent=1), "utf-8")


def _manifest(folder: Path, entry: Entry) -> tuple[File, ...]:
    """The files a conversion of this very GGUF wrote."""
    try:
        manifest = json.loads((folder / _MANIFEST).read_text("utf-8"))
        if manifest["format"] == _FORMAT and manifest["source"] == entry.files[0].sha256:
            return tuple(File(**row) for row in manifest["files"])
    except FileNotFoundError:
        raise ModelError("it was not converted yet.") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError(f"its folder cannot be read ({error}).") from error
    raise ModelError("it was converted from another file.")
