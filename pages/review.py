"""Review."""

import streamlit as st

st.caption("…")
