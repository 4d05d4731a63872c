# The commands of the project. `make help` lists them.
#
# PYTHON  interpreter that the virtual environment is made with (3.11 to 3.13)
# VENV    where the virtual environment lies

PYTHON ?= $(firstword $(shell for v in python3.13 python3.12 python3.11 python3; do \
  $$v -c 'import sys, ensurepip; assert (3, 11) <= sys.version_info[:2] <= (3, 13)' \
  2>/dev/null && echo $$v; done) python3)
VENV ?= .venv
BUILD ?= build

PY := $(VENV)/bin/python
CMAKE := $(VENV)/bin/cmake
CXX_FILES = $(shell git ls-files '*.cpp' '*.h')
TEXT_FILES = $(shell git ls-files | grep -vE '\.(md|npz)$$|^LICENSE')

.DEFAULT_GOAL := help
.PHONY: help dev build demo test lit pytest pytest-oldest foreign mutants lint format wheel docs clean

help: ## Show this list
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 10

$(VENV)/stamp: pyproject.toml tools/dev_env.py
	$(PYTHON) tools/dev_env.py $(VENV)
	@touch $@

$(BUILD)/build.ninja: $(VENV)/stamp
	PATH="$(abspath $(VENV))/bin:$$PATH" $(CMAKE) -G Ninja -S . -B $(BUILD) \
	  -DPython3_EXECUTABLE=$(abspath $(PY)) \
	  -DLLVM_EXTERNAL_LIT=$(abspath $(VENV))/bin/lit

dev: build ## Make the virtual environment and build everything into the tree

build: $(BUILD)/build.ninja
	$(CMAKE) --build $(BUILD)

demo: build ## Compile the warp-specialised GEMM stage by stage and run it
	$(PY) python/examples/demo.py

test: lint lit pytest-oldest pytest ## Lint, lit and pytest; no GPU needed

lit: build
	$(CMAKE) --build $(BUILD) --target check-tlx

pytest: build
	$(PY) -m pytest -q -m "not gpu"

# The oldest supported Triton, in front of the environment's own. What depends on
# the version of Triton is tested with both.
OLDEST := $(VENV)/triton-3.8
OLDEST_TESTS := interop frontend simulator/launch

$(OLDEST)/stamp: $(VENV)/stamp
	$(PY) -m pip install -q --no-deps --target $(OLDEST) 'triton==3.8.*'
	ln -sfn $(abspath python/triton/language/extra/tlx) \
	  $(OLDEST)/triton/language/extra/tlx
	@touch $@

pytest-oldest: build $(OLDEST)/stamp
	PYTHONPATH=$(abspath $(OLDEST)) $(PY) -m pytest -q -m "not gpu" \
	  $(wildcard $(addprefix python/test/,$(OLDEST_TESTS)))

# Kernels of Meta's TLX, from its wheel, and the torch that their host code needs.
# Both stay out of the environment: torch pins another Triton.
FOREIGN := $(VENV)/foreign
FOREIGN_WHEEL := fbtriton==3.7.4
FOREIGN_TORCH := torch==2.13.*

$(FOREIGN)/stamp: $(VENV)/stamp
	rm -rf $(FOREIGN)
	$(PY) -m pip download -q --no-deps -d $(FOREIGN)/wheel '$(FOREIGN_WHEEL)'
	$(PY) -m zipfile -e $(FOREIGN)/wheel/*.whl $(FOREIGN)/kernels
	rm -r $(FOREIGN)/wheel
	$(PY) -m pip install -q --target $(FOREIGN)/torch '$(FOREIGN_TORCH)'
	@touch $@

foreign: build $(FOREIGN)/stamp ## Run kernels of Meta's TLX in the simulator
	TLX_FOREIGN_KERNELS=$(abspath $(FOREIGN))/kernels \
	  $(PY) tools/run_with.py $(FOREIGN)/torch -m pytest -q -m "not gpu" \
	  python/test/kernels/test_foreign.py python/test/simulator/launch/test_torch.py

mutants: build ## Run all mutants in the simulator; write docs/simulator-mutants.md
	$(PY) python/test/simulator/mutation/suite.py --seeds 200 \
	  --page docs/simulator-mutants.md

lint: build ## Check formatting, spelling, types and file lengths
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/codespell
	$(VENV)/bin/clang-format --dry-run --Werror $(CXX_FILES)
	$(PY) test/check_file_length.py $(TEXT_FILES)
	$(VENV)/bin/pyright --pythonpath $(PY)

format: $(VENV)/stamp ## Rewrite Python and C++ in the project's format
	$(VENV)/bin/ruff check --fix .
	$(VENV)/bin/ruff format .
	$(VENV)/bin/clang-format -i $(CXX_FILES)

wheel: $(VENV)/stamp ## Build the wheel into dist/
	$(PY) -m pip wheel -q --no-deps -w dist .

docs: build ## Generate the dialect and pass reference into the build folder
	$(CMAKE) --build $(BUILD) --target tlx-doc

clean: ## Remove the build folders, but not the virtual environment
	rm -rf $(BUILD) dist python/tlx/_ext*.so
