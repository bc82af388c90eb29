# Three commands: `make run` elects a leader with every protocol, `make quick` checks an edit, `make test` a change.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PYTEST := $(BIN)/python -m pytest --numprocesses auto --maxprocesses 4 --dist worksteal

# Bytecode is kept even where the environment forbids it, as that of many containers does: each of the hundreds of processes
# that the tests start would compile the whole package.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: run test test-slow test-failed quick coverage lint architecture stub bench bench-rivals bench-engines bench-rings bench-exact bench-campaign bench-page test-browser page-pictures mutants papers papers-quick papers-planted papers-mutants tables verify trust rings exact fuzz memory certificates ring-certificates network-bars notebooks docs docs-numbers clean proof-mutants proof-fuzz bench-start hold-bars

run: $(READY)
	$(BIN)/princeps tour

# Everything that a change must pass, in less than five minutes on two cores with nothing cached.
test: $(READY)
	$(MAKE) --no-print-directory -j2 check suite

.PHONY: suite
suite: $(READY)
	$(PYTEST)

# The same tests at full size (10^5 pairs of states, fifty kills, ...), and those that take long however small they are.
test-slow: $(READY)
	$(PYTEST) -m slow

# The page in a real browser (Debian's chromium by its path), in a process of its own; skipped where there is none.
test-browser: $(READY)
	$(BIN)/python -m pytest tests_browser -n 0

# What failed last, once more, alone and named: a test of real processes may fail for want of a processor.
test-failed: $(READY)
	$(BIN)/python -m pytest tests tests_browser -n 0 -v -m "slow or not slow" --last-failed --last-failed-no-failures none

# The pictures of docs/watch.md, from runs with fixed seeds.
page-pictures: $(READY)
	$(BIN)/python -m tests_browser.pictures

# While editing: what takes less than a minute when the kernels are compiled.
quick: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(PYTEST) -m "not slow and not medium"

# Which lines of src the tests and claims run (two hours; ARGS: a part): files below 80 %, all in coverage-report.txt.
coverage: $(READY)
	$(BIN)/python tests/coverage_report.py $(ARGS)

.PHONY: check
check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy verification
	$(BIN)/mypy benchmarks

lint: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/mypy

# The picture of docs/architecture.md, from the imports of src/princeps; a test compares it with what is committed.
architecture: $(READY)
	$(BIN)/python verification/architecture.py

# The types that editors and type checkers see, from the signatures; a test compares the file.
stub: $(READY)
	$(BIN)/python verification/stub.py

# The documentation as a static site in site/; a warning, a broken link or a part on another host is an error.
docs: $(READY)
	$(BIN)/python -m sitebuilder

# The numbers of the library's pages, which are committed: `make docs-numbers ARGS=p_rl` for one protocol.
docs-numbers: $(READY)
	$(BIN)/python -m sitebuilder numbers $(ARGS)

# `make bench WRITE=1` keeps the tables in docs/speed.md; ARGS=--events measures the engine `events` alone.
bench: $(READY)
	$(BIN)/python benchmarks/bench.py $(if $(WRITE),--write) $(ARGS)

# `make bench-rivals WRITE=1` keeps the table in docs/rivals.md; ARGS='--works epidemic --sizes 1e6' runs a part.
bench-rivals: $(READY)
	$(BIN)/python benchmarks/rivals.py $(if $(WRITE),--write) $(ARGS)

# Whole processes of short commands, warm. `make bench-start WRITE=1` keeps the table in docs/start-speed.md.
bench-start: $(READY)
	$(BIN)/python benchmarks/start.py $(if $(WRITE),--write) $(ARGS)

# `make bench-engines WRITE=1` keeps the tables in docs/engines.md; ARGS='--parts auto --sizes 1e3' runs a part.
bench-engines: $(READY)
	$(BIN)/python benchmarks/engines.py $(if $(WRITE),--write) $(ARGS)

# `make bench-rings WRITE=1` keeps the tables in docs/ring-speed.md.
bench-rings: $(READY)
	$(BIN)/python benchmarks/rings.py $(if $(WRITE),--write) $(ARGS)

# `make bench-exact WRITE=1` keeps the tables in docs/exact-speed.md.
bench-exact: $(READY)
	$(BIN)/python benchmarks/exact.py $(if $(WRITE),--write) $(ARGS)

# `make bench-campaign WRITE=1` keeps the table in docs/campaign-speed.md; ARGS='--parts short' runs a part.
bench-campaign: $(READY)
	$(BIN)/python benchmarks/campaign.py $(if $(WRITE),--write) $(ARGS)

# Frames a second in the browser and on the wire, the engine's speed meanwhile, going back. `make bench-page WRITE=1` keeps
# the table in docs/watch.md; ARGS='--only seek' measures a part.
bench-page: $(READY)
	$(BIN)/python -m benchmarks.page $(if $(WRITE),--write) $(ARGS)

# Every claim of the papers. The whole of it takes an hour and writes docs/papers; both go on where they were interrupted.
papers: $(READY)
	$(BIN)/princeps paper --all --full --store .papers.db --html docs/papers $(ARGS)

papers-quick: $(READY)
	$(BIN)/princeps paper --all --quick --store .papers.db $(ARGS)

# Every row of the papers' comparison tables. `make tables ARGS=000.1` measures one; the index keeps the pages of the others.
tables: $(READY)
	$(BIN)/princeps table --full --store .papers.db --html docs/tables $(ARGS)

# Every claim with its planted fault: all verdicts must change.
papers-planted: $(READY)
	$(BIN)/princeps paper --all --planted --store .papers.db $(ARGS)

# Every alteration of the rules on every claim: which verdicts change. Many hours; it goes on where it was interrupted.
# ARGS=--own-lines tries the lines that each claim's planted fault alters.
papers-mutants: $(READY)
	PYTHONPATH=verification $(BIN)/python -m paper_mutants $(ARGS)

mutants: $(READY)
	$(BIN)/python verification/mutants.py

# Alterations of P_RL and P_LL by `prove` and by enumeration; goes on where it was interrupted. WRITE=1: docs/prove-mutants.md.
proof-mutants: $(READY)
	PYTHONPATH=verification $(BIN)/python -m proof_mutants $(if $(WRITE),--write) $(ARGS)

# Random small protocols and lemmas, by `prove` and by plain enumeration. ARGS='rings --first 200 --protocols 50'
proof-fuzz: $(READY)
	PYTHONPATH=verification $(BIN)/python -m proof_fuzz $(ARGS)

verify: $(READY)
	$(BIN)/python verification/foundations.py

trust: $(READY)
	$(BIN)/python verification/trust.py

# `make rings ARGS=--quick` takes a minute and writes nothing; the whole of it writes docs/rings.md.
rings: $(READY)
	$(BIN)/python verification/rings.py $(ARGS)

# `make exact ARGS=--quick` takes two minutes and writes nothing; the whole of it writes docs/exact.md.
exact: $(READY)
	$(BIN)/python verification/exact.py $(ARGS)

# The proofs of the lemmas, searched anew and kept; what is kept is re-checked by the tests. ARGS=p_ll: of one protocol.
certificates: $(READY)
	$(BIN)/python verification/certificates.py $(ARGS)

# The same for lemmas about rings: `make ring-certificates ARGS='--anew p_rl'`.
ring-certificates: $(READY)
	$(BIN)/python -m princeps.proofs.rings.certifying $(ARGS)

# Estimates of memory beside the measured peaks; `make memory WRITE=1` keeps the table in docs/memory.md.
memory: $(READY)
	$(BIN)/python verification/memory.py $(if $(WRITE),--write) $(ARGS)

# Holding times by splitting beside exact rates, their cost, and the coverage of their intervals (ARGS=points: a part).
hold-bars: $(READY)
	$(BIN)/python verification/hold_bars.py $(ARGS)

# What network runs must hold, on processes and sockets; `make network-bars WRITE=1` keeps the table in docs/network-bars.md.
network-bars: $(READY)
	PYTHONPATH=verification $(BIN)/python -m network_bars $(if $(WRITE),--write) $(ARGS)

# Executes the notebooks of examples/ and docs/ and keeps their outputs; ARGS=docs/tutorial.ipynb makes one.
notebooks: $(READY)
	$(BIN)/python tests/notebook_outputs.py $(ARGS)

# `make fuzz ARGS='--seconds 3600 --seed 2'`: hostile inputs and random protocols; the table must hold nothing but zeros.
fuzz: $(READY)
	PYTHONPATH=verification $(BIN)/python -m fuzz $(ARGS)

# A marker newer than pyproject.toml says that the environment is complete.
$(READY): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "princeps needs Python 3.11 or newer: make PYTHON=python3.12 ...")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $(READY)

clean:
	rm -rf $(VENV) build dist site .mypy_cache .ruff_cache .pytest_cache .coverage-data coverage-report.txt
