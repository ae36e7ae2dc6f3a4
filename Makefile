# make demo   install, get the models, index the sample, serve the app on this machine
# make test   install what tests need and run every check

PYTHON ?= python3
PORT ?= 8501
# More for pip, such as another index for PyTorch: make demo PIP_ARGS="--extra-index-url …"
PIP_ARGS ?=
# More for pytest: make test PYTEST_ARGS="-k kirag"
PYTEST_ARGS ?=

BIN := .venv/bin
TEST_MODELS := all-minilm-l6-v2 en_core_web_sm smollm2-135m qwen2.5-coder-0.5b
PIP := $(BIN)/python -m pip install --disable-pip-version-check --no-input --quiet $(PIP_ARGS)

.DEFAULT_GOAL := help
.PHONY: help demo test quick lint models clean

help:
	@echo "make demo    install, get the models, index the sample corpus, serve on 127.0.0.1:$(PORT)"
	@echo "make test    install, get the models tests need, run every check and every test"
	@echo "make quick   the tests that load no language model and no browser"
	@echo "make lint    ruff and mypy"
	@echo "make models  get and convert the models tests need"
	@echo "make clean   remove what the tools cached; .venv, the models and .irag stay"
	@echo "PORT, PYTHON, PIP_ARGS and PYTEST_ARGS can be set: make demo PORT=8600"

demo: .venv/installed
	$(BIN)/python -m irag setup
	$(BIN)/python -m streamlit run app.py --server.address 127.0.0.1 --server.port $(PORT)

# All checks run whatever the ones before said; the exit code is not 0 when one of them failed.
test: .venv/installed-dev models
	@failed=0; \
	$(BIN)/ruff check . || failed=1; \
	$(BIN)/ruff format --check . || failed=1; \
	$(BIN)/mypy || failed=1; \
	$(BIN)/python -m pytest $(PYTEST_ARGS) || failed=1; \
	exit $$failed

quick: .venv/installed-dev
	$(BIN)/python -m pytest -m "not slow" $(PYTEST_ARGS)

lint: .venv/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

models: .venv/installed
	$(BIN)/python -m irag models pull $(TEST_MODELS)
	$(BIN)/python -m irag models convert qwen2.5-coder-0.5b

clean:
	rm -rf .mypy_cache .ruff_cache .pytest_cache
	find . -name __pycache__ -type d -not -path "./.venv*" -prune -exec rm -rf {} +

# An installation is made anew only when its list of packages is newer than its stamp.
.venv/made:
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11))" || \
	  { echo "irag needs Python 3.11 or newer; $(PYTHON) is not. Try: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv .venv
	@touch $@

.venv/installed: requirements.txt | .venv/made
	$(PIP) -r requirements.txt
	@touch $@

.venv/installed-dev: requirements-dev.txt .venv/installed
	$(PIP) -r requirements-dev.txt
	@touch $@
