# The pip lines behind each target stand in docs/quickstart.md too.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
# The shell may not know python3.11 by that name; any Python of at least 3.11 will do.
SYSTEM_PYTHON := $(shell command -v $(PYTHON) || command -v python3)
# Tests that wait for processes, servers and a cluster leave cores idle: three workers for two cores. A file's
# tests share their runs, nights and pages, so one worker has them.
export PYTEST_XDIST_AUTO_NUM_WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) '*' 3 / 2)
PARALLEL := -n auto --dist loadfile --no-loadscope-reorder
# What the tests alone need is compiled where it is first imported, whatever the machine's habit.
unexport PYTHONDONTWRITEBYTECODE
# uv takes a tenth of pip's time. It does not read pip's settings: a folder of packages is passed on, and where uv
# reaches no package index, pip installs.
PIP := $(BIN)/python -m pip
install = UV_FIND_LINKS="$${PIP_FIND_LINKS:-$$($(PIP) config get global.find-links 2>/dev/null)}" \
	VIRTUAL_ENV=$(VENV) UV_COMPILE_BYTECODE=$(2) $(BIN)/uv pip install --quiet -c constraints.txt $(1) || \
	$(PIP) install --quiet -c constraints.txt $(1)

.PHONY: demo test contract test-ci test-all lint coverage docs bench clean

demo: $(VENV)/installed
	$(BIN)/niah run quick

test: $(VENV)/installed-test
	$(BIN)/pytest $(PARALLEL) -m "not slow"

# Commands, files, exit codes and documented Python calls alone.
contract: $(VENV)/installed-test
	$(BIN)/pytest $(PARALLEL) tests/contract

# What CI runs, slow tests too: the contract first, then what takes longest, so that no worker is left with it.
FIRST := tests/contract tests/docs tests/runs
test-ci: $(VENV)/installed-test
	$(BIN)/pytest $(PARALLEL) $(FIRST) $(filter-out $(FIRST),$(patsubst %/,%,$(wildcard tests/*/)) $(wildcard tests/test_*.py))

# The slow tests too, and every property with all its examples.
test-all: $(VENV)/installed-test
	NIAH_ALL_EXAMPLES=1 $(BIN)/pytest $(PARALLEL)

# Which lines the quick tests reach, those of processes that they start among them: a table, and pages in build/coverage.
coverage: $(VENV)/installed-test
	$(BIN)/coverage run -m pytest $(PARALLEL) -m "not slow"
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage html --quiet
	$(BIN)/coverage report

lint: $(VENV)/installed-test
	$(BIN)/ruff check niah tests bench
	$(BIN)/ruff format --check niah tests bench
	$(BIN)/mypy
	$(BIN)/lint-imports

# The site of docs/, in build/site; a broken link fails.
docs: $(VENV)/installed-test
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build

# Every bench in turn; docs/architecture.md has the goals.
bench: $(VENV)/installed-test
	for name in generator mixpr embedding start_up runner report judge nights; do $(BIN)/python -m bench.$$name; done

$(BIN)/uv:
	$(SYSTEM_PYTHON) -m venv $(VENV)
	$(PIP) install --quiet -c constraints.txt uv

$(VENV)/installed: pyproject.toml constraints.txt | $(BIN)/uv
	$(call install,-e '.[local]',1)
	$(BIN)/niah model fetch smollm2
	$(BIN)/niah model fetch minilm
	touch $@

# torch by name, in the build that the constraint and a folder of packages say.
$(VENV)/installed-test: $(VENV)/installed
	$(call install,torch -e '.[test]',0)
	$(BIN)/niah model fetch static
	touch $@

clean:
	rm -rf $(VENV) build dist
