"""A key is told from a name by its shape, and never repeated."""

from __future__ import annotations

import pytest

from irag.errors import UserError
from irag.keys import looks_like_key, masked, refuse_key

KEYS = (
    "sk-proj-4f7Hq2Lw9Zx81kQ", "sk-abcdefghijklmnop", "gsk_Ab3dEf6hIj9k", "hf_abcdefghijklmnopqrstu12345",
    "AIzaSyA1234567890abcdefghijklmnopqrstu", "AKIAIOSFODNN7EXAMPLE", "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.x", "0f8fad5bd9cb469fa16570867728950e", "Bearer abc", "ABCD1234EFGH5678IJKL",
)  # fmt: skip
NAMES = (
    "MY_KEY", "OPENAI_API_KEY_2", "gpt-4o-mini-2024-07-18", "Meta-Llama-3.1-8B-Instruct-AWQ-INT4",
    "DeepSeek-R1-Distill-Qwen-32B-Q4_K_M", "@cf/meta/llama-3.1-8b", "qwen2.5-coder-0.5b-instruct-q4_k_m",
    "accounts/fireworks/models/llama-v3p1-405b-instruct", "VERY_LONG_VARIABLE_NAME_2024_V1_2",
)  # fmt: skip


@pytest.mark.parametrize("key", KEYS)
def test_a_pasted_key_is_refused_wherever_it_stands_and_never_repeated(key):
    assert looks_like_key(key)
    for spec in (f"openai:https://x.org/v1#m@{key}", f"openai:https://x.org/v1#{key}", f"openai:https://x.org/v1?key={key}#m"):  # fmt: skip
        with pytest.raises(UserError, match="NAME") as refused:
            refuse_key(spec)
        assert key not in str(refused.value)


@pytest.mark.parametrize("name", NAMES)
def test_models_and_variables_are_no_keys(name):
    assert not looks_like_key(name)
    refuse_key(f"openai:http://127.0.0.1:8000/v1#{name}@MY_KEY")


def test_a_password_in_an_address_is_refused_and_masked():
    with pytest.raises(UserError) as refused:
        refuse_key("openai:https://me:hush@x.org/v1#m")
    assert "hush" not in str(refused.value)
    assert masked("postgresql://me:hush@host/runs") == "postgresql://me:•••@host/runs"
    assert masked("sqlite:////home/me/irag.db") == "sqlite:////home/me/irag.db"


def test_a_folder_may_have_the_name_of_a_hash():
    refuse_key("hf:/models/snapshots/0f8fad5bd9cb469fa16570867728950e")
