"""What the processor or GPU can do; it opens no model."""

from __future__ import annotations

__all__ = ["has_bf16"]


def has_bf16(device: str) -> bool:
    """Whether the device multiplies bf16 in hardware (AVX512-BF16 or AMX, or a recent GPU).

    Elsewhere float32 is quicker.
    """
    import torch

    if device == "cuda":
        return bool(torch.cuda.is_bf16_supported())
    probes = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
    return any(getattr(torch.cpu, name, bool)() for name in probes)
