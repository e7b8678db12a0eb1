# Everything from a fresh clone: `make run` serves the page, `make test` runs the checks, `make test-all` all.

# The first Python that runs and is of a version that Numba supports (a name on the PATH alone may be an empty shim).
SUITS := -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))'
PYTHON ?= $(shell for name in python3 python3.12 python3.11 python3.13; do \
	$$name $(SUITS) >/dev/null 2>&1 && { echo $$name; break; }; done)
VENV := .venv
BIN := $(VENV)/bin
SCRIPTS := node_modules/.bin
ARGS ?=
DOCUMENTS = README.md CHANGELOG.md $(wildcard docs/*.md docs/algorithms/*.md docs/lessons/*.md)
# Findings of write-good in them, counted in a file, as it loses the end of what it pipes: lower it when a page gets better.
PROSE := 679

# All processes of the tests, servers and workers among them, share compiled modules.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test test-all quick check prose kernels wheel browser-tests audit fuzz soak docs cuda12 cuda13 mpi ray pictures bench clean

run: $(VENV)/run.stamp  ## serve the page at http://127.0.0.1:8050 (ARGS="--port 9000" for another)
	$(BIN)/python app.py $(ARGS)

# Side by side, a process a core; one that has no tests left takes some of another's. Rewriting every assertion for its
# message takes longer than collecting the tests, so what failed runs once more with messages, and fails anyway.
PYTEST := $(BIN)/python -m pytest tests --ignore tests/browser -n auto --dist worksteal --assert=plain
MESSAGES = { $(BIN)/python -m pytest tests --last-failed --last-failed-no-failures none; exit 1; }
# A server and a Chromium a process, a process a core; the largest files first. What waits in vain on a busy machine waits
# once more, be it for an `expect`, and the summary names it; no other assertion is tried again.
BROWSERS := $(BIN)/python -m pytest tests/browser -n auto --dist loadfile --reruns 1 --only-rerun TimeoutError --only-rerun "expected to" -r fER
# One after the other: they hold what is seen against the clock.
ALONE := $(BIN)/python -m pytest tests
# Counts the processor seconds of a part.
COUNT := $(BIN)/python -m tests.processor_seconds

test: $(VENV)/chromium.stamp  ## every check, and all tests but those that are long by nature
	$(COUNT) checks $(MAKE) --jobs 2 check kernels
	$(COUNT) tests $(PYTEST) -m "not alone and not long" || $(MESSAGES)
	$(COUNT) browser $(BROWSERS) -m "browser and not alone and not long"
	$(COUNT)

test-all: $(VENV)/chromium.stamp $(VENV)/lab.stamp $(VENV)/ray.stamp $(VENV)/docs.stamp $(VENV)/schemathesis.stamp  ## every check and test; those that watch the clock by themselves
	$(MAKE) --jobs 2 check kernels
	$(MAKE) audit
	$(PYTEST) -m "not alone" || $(MESSAGES)
	$(BROWSERS) -m "browser and not alone"
	$(ALONE) -m alone

quick: $(VENV)/dev.stamp  ## the tests that need no browser, no server and no workers
	$(PYTEST) -m "not alone and not slow and not long" || $(MESSAGES)

browser-tests: $(VENV)/chromium.stamp $(VENV)/npm.stamp kernels
	$(BROWSERS) -m "browser and not alone"
	$(ALONE) -m "browser and alone"

kernels: $(VENV)/dev.stamp  ## compile every kernel for cores, once for all processes of the tests
	$(BIN)/python -c "from runs.engine.cpu_kernels import compile_all; list(compile_all())"

wheel: $(VENV)/run.stamp  ## a wheel in dist with compiled kernels, for this Python and system
	$(BIN)/python -m tourscope kernels build
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .

check: $(VENV)/dev.stamp $(VENV)/npm.stamp  ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@if [ -x $(SCRIPTS)/biome ]; then export PATH="$(CURDIR)/$(BIN):$$PATH" && $(SCRIPTS)/biome check && $(SCRIPTS)/tsc; \
	else echo "The scripts are not checked: npm could not fetch the tools."; fi
	@if [ -x $(SCRIPTS)/write-good ]; then $(MAKE) --no-print-directory prose; \
	else echo "The documents' English is not checked: npm could not fetch write-good."; fi

prose:  ## the documents' English: no cliches, no "there is", and no more weak words than PROSE says
	@$(SCRIPTS)/write-good --cliches --thereIs $(DOCUMENTS)
	@list=$$(mktemp); $(SCRIPTS)/write-good --passive --weasel --tooWordy $(DOCUMENTS) >$$list; \
	found=$$(grep -c "on line" $$list); rm $$list; \
	echo "write-good: $$found findings in the documents, at most $(PROSE)"; test $$found -le $(PROSE)

audit: $(VENV)/audit.stamp  ## known faults of the packages, and dangerous calls in the code
	$(BIN)/bandit --quiet --recursive --configfile pyproject.toml --severity-level medium \
		app.py commands components data exports papers runs solvers studies tourscope
	$(BIN)/pip-audit --progress-spinner off --requirement requirements.txt

fuzz: $(VENV)/fuzz.stamp  ## damaged files, led by coverage, upon the reader for a minute (ARGS="--seconds 3600" for longer)
	$(BIN)/python -m fuzz $(ARGS)

# Hours, on a machine without other work; strace is the system's (apt-get install strace).
FAULTS := test-results/faults.jsonl
soak: $(VENV)/schemathesis.stamp kernels  ## every fault as often as its row says, then ten minutes of load: benchmarks/results/load.json
	rm -f $(FAULTS)
	TOURSCOPE_SOAK=1 TOURSCOPE_SOAK_FILE=$(FAULTS) $(BIN)/python -m pytest tests/faults
	$(BIN)/python -m tests.load.soak --faults $(FAULTS) --json benchmarks/results/load.json

cuda12 cuda13 mpi ray: $(VENV)/run.stamp  ## add the CUDA packages for a driver of that version, one of the two; MPI; Ray
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[$@]"

docs: $(VENV)/docs.stamp  ## make a site of the documents in website/site; a broken link fails
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet --strict --config-file website/mkdocs.yml
	@echo "website/site/index.html; to search in it: $(BIN)/python -m http.server --directory website/site"

pictures: $(VENV)/chromium.stamp  ## take the pictures of README and docs anew
	$(BIN)/python tests/browser/pictures.py

bench: $(VENV)/run.stamp  ## 2-opt on this machine's cores against the same loop in C
	$(BIN)/python -m benchmarks two-opt-cpu

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or 3.12 is needed; name it with make PYTHON=/path/to/python3"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/run.stamp: requirements.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	touch $@

# Most of these packages' modules are never imported; Python compiles those that are.
$(VENV)/dev.stamp: requirements.txt requirements-dev.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -r requirements-dev.txt
	touch $@ $(VENV)/run.stamp

# The tools that check the scripts and the pages; where npm cannot fetch them, all but those checks run.
$(VENV)/npm.stamp: package.json $(VENV)/dev.stamp
	-PATH="$(CURDIR)/$(BIN):$$PATH" npm install --silent --no-audit --no-fund --no-package-lock
	touch $@

$(VENV)/fuzz.stamp: $(VENV)/dev.stamp
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "atheris>=3"
	touch $@

$(VENV)/audit.stamp: $(VENV)/dev.stamp
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "bandit>=1.8" "pip-audit>=2.8"
	touch $@

$(VENV)/docs.stamp: website/requirements.txt $(VENV)/dev.stamp
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r website/requirements.txt
	touch $@

# Makes requests of the description of the routes.
$(VENV)/schemathesis.stamp: $(VENV)/dev.stamp
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "schemathesis>=4"
	touch $@

# In which a test draws a run; too large to be everybody's.
$(VENV)/lab.stamp: $(VENV)/dev.stamp
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "jupyterlab>=4"
	touch $@

# A cluster of several nodes on this machine, on which tests run; 70 MB.
$(VENV)/ray.stamp: $(VENV)/dev.stamp
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "ray>=2.60"
	touch $@

$(VENV)/chromium.stamp: tests/browser/chromium.py $(VENV)/dev.stamp
	$(BIN)/python tests/browser/chromium.py
	touch $@

clean:
	rm -rf $(VENV) dist solvers/compiled website/site .pytest_cache .mypy_cache .ruff_cache .hypothesis
