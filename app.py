"""The way in: page set-up and navigation, nothing else."""

from pathlib import Path

import streamlit as st

from irag.views.words import t

ICON = Path(__file__).parent / "assets" / "icon.svg"  # a local file: nothing is fetched

st.set_page_config(page_title=t("app"), page_icon=str(ICON), layout="wide")
st.logo(str(ICON), size="small")

ask = st.Page("pages/ask.py", title=t("ask"), icon=":material/forum:")
corpora = st.Page("pages/corpora.py", title=t("corpora"), icon=":material/library_books:")
runs = st.Page("pages/runs.py", title=t("runs"), icon=":material/history:")
label = st.Page("pages/label.py", title=t("label"), icon=":material/label:")
review = st.Page("pages/review.py", title=t("review"), icon=":material/fact_check:")
settings = st.Page("pages/settings.py", title=t("settings"), icon=":material/tune:")
about = st.Page("pages/about.py", title=t("about"), icon=":material/info:")


def home() -> None:
    """Go to Ask: a default page would have no address of its own, and links say /ask?run=..."""
    st.switch_page(ask, query_params=st.query_params.to_dict())


start = st.Page(home, title=t("app"), default=True, visibility="hidden")
st.navigation([start, ask, corpora, runs, label, review, settings, about], position="top").run()
