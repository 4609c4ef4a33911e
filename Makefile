# The two commands for everybody: `make run` and `make test`. The others are for who changes the code.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

.PHONY: run test check prove bench format clean

run: $(VENV)/.run
	@PATH="$(CURDIR)/$(BIN):$$PATH" pitboss serve --demo --data .demo --log warning

test: check
	$(BIN)/pytest -q -m whole -n 4 --dist worksteal

check: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -q -m "not whole" -n 3

prove: $(VENV)/.dev
	$(BIN)/python tools/prove.py
	PITBOSS_KILLS=500 $(BIN)/pytest -q tests/whole/test_floor_crashes.py
	$(BIN)/python tools/prove_floor.py

bench: $(VENV)/.bench
	$(BIN)/python tools/bench.py
	PYTHONPATH=tests $(BIN)/python tools/bench_maths.py
	$(BIN)/python tools/bench_floor.py
	$(BIN)/python tools/bench_server.py

format: $(VENV)/.dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Pitboss needs Python 3.11 or newer; this is " + sys.version.split()[0])'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP) -e .
	@touch $@

$(VENV)/.bench: $(VENV)/.dev
	$(PIP) -e '.[dev,bench]'
	@touch $@

$(VENV)/.dev: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP) -e '.[dev]'
	@touch $@ $(VENV)/.run
