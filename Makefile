# Each target sets up what it needs. The first two are for everybody: `make demo`, `make test`.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PYTEST := $(BIN)/python -m pytest

.PHONY: demo test test-long check bench docs clean

demo: $(VENV)/.ready-plots
	$(BIN)/anabasis demo --out demo

test: $(VENV)/.ready-dev
	$(BIN)/python studio/frontend.py build
	$(BIN)/python studio/frontend.py test
	$(BIN)/anabasis warmup --quiet
	$(PYTEST) -m "not long" -n auto --dist loadfile

test-long: $(VENV)/.ready-dev
	$(BIN)/python studio/frontend.py build
	$(BIN)/anabasis warmup --quiet
	$(PYTEST) -m long -vv -n auto --dist worksteal

check: $(VENV)/.ready-dev
	$(BIN)/ruff check src tests benchmarks studio hatch_build.py
	$(BIN)/ruff format --check src tests benchmarks studio hatch_build.py
	$(BIN)/basedpyright
	$(BIN)/lint-imports
	$(BIN)/python studio/frontend.py check

bench: $(VENV)/.ready-bench
	$(BIN)/python benchmarks/search.py
	$(BIN)/python benchmarks/grid_search.py
	$(BIN)/python benchmarks/any_angle.py
	$(BIN)/python benchmarks/polygons.py
	$(BIN)/python benchmarks/sampling.py
	$(BIN)/python benchmarks/simulator.py
	$(BIN)/python benchmarks/decomposition.py
	$(BIN)/python benchmarks/flow.py
	$(BIN)/python benchmarks/planning.py
	$(BIN)/python benchmarks/mapf.py
	$(BIN)/python benchmarks/formations.py
	$(BIN)/python benchmarks/noise.py
	$(BIN)/python benchmarks/generation.py
	$(BIN)/python benchmarks/studio.py

docs: $(VENV)/.ready-docs
	$(BIN)/sphinx-build -W --keep-going -b html docs docs/_build/html
	@echo "The documentation is in docs/_build/html/index.html"

clean:
	rm -rf $(VENV) demo docs/_build build dist studio/node_modules src/anabasis/studio/static

# One environment; each extra is installed once, and again when pyproject.toml changes.
$(VENV)/bin/python:
	@if command -v uv >/dev/null; then uv venv --quiet --seed --python $(PYTHON) $(VENV); \
	else $(PYTHON) -m venv $(VENV) || { echo "This needs Python's venv module (on Debian: apt install python3-venv)"; exit 1; }; fi

$(VENV)/.ready-%: pyproject.toml | $(VENV)/bin/python
	@echo "Installing Anabasis with its '$*' extra into $(VENV) ..."
	@if command -v uv >/dev/null; then uv pip install --quiet --python $(BIN)/python -e '.[$*]'; \
	else $(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[$*]'; fi
	@touch $@
