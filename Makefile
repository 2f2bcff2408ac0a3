# Every target runs in .venv and installs nothing outside it, but for the peers, which have a place of their own.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
SHELL := /bin/bash

PYTHON ?= python3
WORKERS ?= 3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PEERS := .venv-peers
PEERS_PINNED := tests/benchmarks/peers/requirements.txt
SOURCES := messages actors supervisors tests

export HF_HUB_OFFLINE := 1
export UV_PROJECT_ENVIRONMENT := $(VENV)
export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1

.PHONY: help setup demo test check bench bench-peers profile chaos soak overload crashes fuzz audit sbom docs clean

help:  ## show these lines
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

setup: $(READY)  ## make .venv with everything that Discord, the cloud, servers of tools, the local room, the tests and the checks need

demo: setup  ## hear a conversation with no account and no key
	$(BIN)/clankie demo

test: setup  ## run the tests
	$(BIN)/pytest -n $(WORKERS) --dist load $(ARGS)

check: setup  ## lint, format and type checks
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/mypy
	$(BIN)/pyright

bench: setup  ## measure every line of docs/performance.md, which takes a quarter of an hour
	@$(MAKE) --no-print-directory bench-peers || echo "The peers could not be installed: measuring without them." >&2
	$(BIN)/python -m tests.benchmarks $(ARGS)

bench-peers: $(PEERS)/.ready  ## make .venv-peers with what the benchmarks compare with

profile: setup  ## see where the time goes on the hot paths; flame graphs go to build/profiles
	$(BIN)/python -m tests.benchmarks.profiles -o build/profiles $(ARGS)

chaos: setup  ## an hour of everything going wrong, over twenty seeds and more
	$(BIN)/python -m tests.reliability.chaos $(ARGS)

crashes: setup  ## kill him a hundred times, and time every actor's way back from a crash
	$(BIN)/python -m tests.reliability.sigkill $(ARGS)
	$(BIN)/python -m tests.reliability.supervision $(ARGS)

overload: setup  ## more people, words and joins than he can take, and providers that are too slow
	$(BIN)/python -m tests.reliability.overload $(ARGS)

soak: setup  ## a hundred hours of room life on a quick clock, and half an hour in real time
	$(BIN)/python -m tests.reliability.soak $(ARGS)

fuzz: setup  ## ten minutes of hostile input for everything that reads any
	$(BIN)/python -m tests.reliability.fuzz $(ARGS)

audit: setup  ## look whether a fault is known of anything that is installed; asks the package index
	$(BIN)/python -m tests.reliability.audit $(ARGS)

sbom: setup  ## write what he is made of to build/sbom.json (CycloneDX)
	$(BIN)/python -m tests.reliability.sbom $(ARGS)

docs: setup  ## write the pages that are written from the code
	$(BIN)/python -m tests.pages

clean:  ## remove .venv, .venv-peers and every cache
	rm -rf $(VENV) $(PEERS) .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage htmlcov

# Only what decides the environment's content makes it again; a README that changes does not.
$(READY): pyproject.toml uv.lock | $(BIN)/python
	@test -x $(BIN)/uv || $(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv sync --frozen --extra local --extra discord --extra cloud --extra mcp --extra console --extra telemetry --group dev
	@touch $@

$(PEERS)/.ready: $(PEERS_PINNED) | $(READY)
	$(BIN)/uv venv --quiet --allow-existing --python $(BIN)/python $(PEERS)
	$(BIN)/uv pip sync --quiet --python $(PEERS)/bin/python $(PEERS_PINNED)
	@touch $@

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Clankie needs Python 3.11 or later; name one with PYTHON=..." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo "This Python cannot make environments; on Debian: apt-get install python3-venv" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
