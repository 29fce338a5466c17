# What a person types. `make run` is all it takes to use Shadowtime, `make test` all it takes to trust it.

BIN := .venv/bin
export PATH := $(CURDIR)/$(BIN):$(PATH)
unexport PYTHONDONTWRITEBYTECODE  # without bytecode each process that a test starts compiles for 5 s

.PHONY: help install run test docs papers lowest newest fuzz soak check lint style bench pictures constraints release clean

help:  ## this list
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' Makefile

install: .venv/.installed  ## a virtual environment in .venv with everything that Shadowtime needs

ifneq "$(shell cat .venv/.installed 2>/dev/null)" "$(CURDIR)"
.PHONY: .venv/.installed  # this folder was moved or copied, and the programs in .venv name the old one
endif

.venv/.installed: pyproject.toml setup.py constraints.txt $(wildcard .ci/locks/*.txt) .ci/install
	@.ci/install
	@echo "$(CURDIR)" > $@

.venv/.installed-test: .venv/.installed
	@.ci/install test
	@touch $@

run: install  ## the laboratory, at http://127.0.0.1:8050; another port: make run ARGS="--port 8051"
	@exec shadowtime up $(ARGS)

# For two processors: tests with servers and browsers wait for a third of their time.
PROCESSES ?= 3
SIDE_BY_SIDE := -n $(PROCESSES) --dist loadfile --no-loadscope-reorder

test: style  ## everything: style, types, tests; Chromium is installed where it may be
	@.ci/chromium
	@report=$$(mktemp); .ci/types >$$report 2>&1 & types=$$!; pytest $(SIDE_BY_SIDE); code=$$?; \
		wait $$types || code=1; cat $$report; rm $$report; exit $$code  # types fill the time in which tests wait

check: .venv/.installed-test  ## while you work: style, types, and 15 s of the tests nearest to what changed
	ruff check .
	ruff format --check .
	python -m tests.changed

lowest: .venv/.installed-test  ## the wheel with the lowest versions that pyproject.toml allows; needs uv
	VERSIONS=lowest pytest tests/test_wheel.py

newest: .venv/.installed-test  ## the same with the newest versions, as an installation without constraints.txt has
	VERSIONS=newest pytest tests/test_wheel.py

SECONDS ?= 60
EXAMPLES ?= 100

fuzz: .venv/.installed-test  ## hostile input, for long: make fuzz SECONDS=600 (of each parser) EXAMPLES=1000 (of each route)
	python -m tests.fuzz --seconds $(SECONDS)
	python -m tests.fuzz.api --examples $(EXAMPLES)

soak: .venv/.installed-test  ## what `make test` has in short, for long: faults, restarts, hostile input, load; about 13 hours
	python -m tests.chaos
	python -m tests.chaos.soak --minutes 180
	python -m tests.chaos.soak --minutes 180 --postgresql
	$(MAKE) fuzz SECONDS=600 EXAMPLES=1000
	NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$$(mktemp -d) pytest tests/engine
	WHOLE=1 pytest $$(grep -rl "tests.whole" tests --include=test_*.py)
	python -m benchmarks.load --minutes 30

lint: style  ## style and types
	@.ci/types

style: .venv/.installed-test
	ruff check .
	ruff format --check .

bench: .venv/.installed-test  ## the figures of merit, one JSON object per benchmark
	@code=0; for file in benchmarks/[a-z]*.py; do python -m benchmarks.$$(basename $$file .py) || code=1; done; exit $$code

docs: .venv/.installed-test  ## the documentation as pages into manual/, served under /docs; a broken link is an error
	python docs/tables.py
	NO_MKDOCS_2_WARNING=1 mkdocs build --quiet --strict

pictures: .venv/.installed-test  ## the pictures of the docs, taken from the running product
	@.ci/chromium
	python docs/pictures.py

papers: .venv/.installed-test  ## all papers at full scale: shipped results and docs/explanation/papers; resumes after a stop
	python docs/papers.py --compute all

constraints: .venv/.installed-test  ## pin the versions now in .venv, and the hashes of their files
	python -m pip freeze --exclude-editable --exclude pip --exclude wheel > constraints.txt
	.ci/lock

release: install  ## wheel, list of parts (SBOM) and a search for known vulnerabilities, into dist/
	@.ci/release

clean:  ## forget the environment and all caches
	rm -rf .venv .link manual node_modules .fuzz .pytest_cache .mypy_cache .ruff_cache .hypothesis build *.egg-info
