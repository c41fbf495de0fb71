# Needs python3 >= 3.11 with pip, and make; takes uv if it is there. Everything is installed into .venv.
# Another interpreter:  make setup PYTHON=python3.13

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
UV := $(shell command -v uv 2>/dev/null)

.DEFAULT_GOAL := help
.PHONY: help setup run test test-full lint bench studio bench-studio

help:
	@awk -F ':.*##' '/^[a-z-]+:.*##/ { printf "make %-13s%s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup: $(READY)  ## only the environment: .venv with every extra and the tools

run: $(READY)  ## the main job on the bundled rig; writes into out/
	@mkdir -p out
	$(BIN)/python examples/01_scout_walks_a_track.py

test: $(READY)  ## the tests, without the long sweeps
	$(BIN)/python -m pytest -m "not full"

test-full: $(READY)  ## all tests, the long sweeps too
	$(BIN)/python -m pytest

lint: $(READY)  ## ruff, mypy --strict, and the import contract
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(READY)  ## every table of figures, PASS or FAIL a line
	@failed=0; for table in kernel limits noise chain file; do \
	  echo "elbowroom bench $$table"; $(BIN)/elbowroom bench $$table || failed=1; \
	done; exit $$failed

studio:  ## the live page (not in this version)
bench-studio:  ## its frame rate (not in this version)
studio bench-studio:
	@echo "make $@: the studio does not exist yet in this version; 'make run' draws pictures into out/" >&2
	@exit 1

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "elbowroom needs Python 3.11 or newer; '$(PYTHON)' is $$($(PYTHON) --version 2>/dev/null || echo missing)." >&2; \
	  echo "Name another one: make setup PYTHON=python3.12" >&2; exit 1; }
ifneq ($(UV),)
	@test -x $(BIN)/python || $(UV) venv --quiet --python "$(PYTHON)" .venv
	$(UV) pip install --quiet --python $(BIN)/python --editable '.[all]' --group dev
else
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "'$(PYTHON)' cannot make environments: its venv or ensurepip module is missing." >&2; \
	  echo "On Debian and Ubuntu: apt install python3-venv. Or install uv." >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(BIN)/python -m ensurepip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[all]' --group dev
endif
	@touch $@
