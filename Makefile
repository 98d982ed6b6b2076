# Two commands do all the set-up: `make reproduce` (CORES=8 limits the cores) and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CORES ?= all

export PATH := $(CURDIR)/$(BIN):$(PATH)

.PHONY: environment reproduce test lint test-slow test-slurm audit bench bench-readme lock clean

environment: $(VENV)/.complete

$(VENV)/.complete: requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "marginfs needs Python 3.11 or newer; this is %d.%d: make PYTHON=python3.12 ..." % sys.version_info[:2])'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	touch $@

reproduce: environment
	snakemake --cores $(CORES)

lint: environment
	ruff check .
	ruff format --check .
	mypy
	lint-imports --no-logo
	numpydoc lint $$(find lib -name '*.py')
	snakefmt --check Snakefile rules
	snakemake --lint

test: lint
	pytest -m "not slow and not slurm" --numprocesses=2 --dist=loadfile

test-slow: environment
	pytest -m slow

# A SLURM of one node on this machine, for its tests: root and `apt-get install slurm-wlm munge`.
test-slurm: environment
	pytest -m slurm tests/cluster

# --strict: a package that the service does not know would count as free of flaws.
audit: environment
	@found=$$(pip-audit --strict --progress-spinner off --disable-pip --require-hashes --requirement requirements.lock 2>&1); \
	status=$$?; \
	case "$$found" in \
	    *Traceback*|*"could not be audited"*) echo "Nothing was audited: the service that lists known flaws cannot be reached." ;; \
	    *) echo "$$found" ;; \
	esac; \
	exit $$status

bench: environment
	python tests/benchmarks

bench-readme: environment
	python tests/benchmarks --readme

lock:
	uv pip compile --universal --python-version 3.11 --generate-hashes --all-extras --no-annotate --no-header \
	    --no-emit-index-url pyproject.toml --output-file requirements.lock

clean:
	rm -rf $(VENV) .snakemake results/smoke* results/quick* results/paper* lib/marginfs/__pycache__
