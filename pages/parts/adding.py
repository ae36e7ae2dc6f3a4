"""Adding to a corpus: files that are dropped here, or files and folders of this machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import streamlit as st

from irag.views.escape import literal
from irag.views.words import t
from pages.parts.saying import attempt, say

if TYPE_CHECKING:
    from irag.workbench import Workbench

__all__ = ["choose_files", "choose_language", "chosen_files", "draw_adding"]


def choose_files(key: str) -> None:
    """The box to drop files in."""
    from irag.corpus.readers import FORMATS
    from irag.corpus.uploads import MOST_BYTES, MOST_FILES

    size = MOST_BYTES // 1_000_000
    kinds = ", ".join(sorted(FORMATS))
    st.file_uploader(
        t("adding.drop"),
        accept_multiple_files=True,
        key=key,
        max_upload_size=size,
        help=literal(t("adding.kinds", kinds=kinds, files=MOST_FILES, size=size)),
    )


def chosen_files(key: str) -> list[tuple[str, BinaryIO]]:
    """What was dropped: names, which nobody checked, with bytes."""
    return [(one.name, one) for one in st.session_state.get(key) or ()]


def choose_language(key: str) -> None:
    """The language of a new corpus; "" to have it found out."""
    st.selectbox(
        t("corpora.language"),
        ("", "en", "zh"),
        format_func=lambda code: t(f"language.{code}"),
        key=key,
        help=t("corpora.language.help"),
    )


def draw_adding(bench: Workbench, corpus: str) -> None:
    """Both ways to add; what is added is indexed in the background, once a press."""
    files, path = f"files-{corpus}", f"path-of-{corpus}"
    with st.form(f"add-{corpus}", clear_on_submit=True, border=True):
        choose_files(files)
        st.form_submit_button(
            t("adding.start"),
            type="primary",
            icon=":material/upload:",
            key=f"upload-{corpus}",
            on_click=_upload,
            args=(bench, corpus, files),
        )
    with (
        st.form(f"path-{corpus}", border=True),
        st.container(horizontal=True, vertical_alignment="bottom"),
    ):
        st.text_input(t("adding.path"), key=path, help=t("adding.path.help"), width="stretch")
        st.form_submit_button(
            t("adding.path.start"),
            key=f"add-path-{corpus}",
            on_click=_add_path,
            args=(bench, corpus, path),
        )


def _upload(bench: Workbench, corpus: str, key: str) -> None:
    files = chosen_files(key)
    if files:
        attempt(lambda: bench.shelf.upload(corpus, files))
    else:
        say(t("adding.none"), error=True)


def _add_path(bench: Workbench, corpus: str, key: str) -> None:
    path = (st.session_state.get(key) or "").strip()
    if not path:
        say(t("adding.none"), error=True)
    elif attempt(lambda: bench.add_files(corpus, [Path(path).expanduser()])):
        st.session_state[key] = ""
