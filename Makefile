# minebot: `make play` and `make test` do all set-up themselves. `make help` lists what there is.

GAMES ?= 5
LEVEL ?= beginner
SPEED ?= 20
VENV  := .venv
BIN   := $(VENV)/bin
BUILD := .build
QUICK := tests/cli tests/game tests/clicker/test_clicker.py tests/test_architecture.py tests/test_files.py \
         tests/test_counting_rules.py tests/test_signals.py $(wildcard tests/record/test_record*.py) \
         $(addprefix tests/solver/test_,decisions.py hint_proofs.py solver_oracle.py words.py)
STAMP := $(VENV)/.installed

.PHONY: help setup play test quick check program program-windows pins clean

help:
	@echo "make play   set everything up and play GAMES=$(GAMES) games of LEVEL=$(LEVEL) at SPEED=$(SPEED)"
	@echo "make test   set everything up and run every test"
	@echo "make quick  run the tests of the pure parts, on all processors"
	@echo "make check  ruff, formatting, mypy --strict"
	@echo "make program  build minebot for people without Python, as a folder and a zip in $(BUILD), and try it"
	@echo "make program-windows  build minebot for Windows under Wine, and try it there"
	@echo "make pins   renew the pins of a release with uv, for Linux and Windows"
	@echo "make setup  system packages where they may be installed, and a virtual environment in $(VENV)"
	@echo "make clean  remove the virtual environment and caches"

setup: $(STAMP)

# Both steps do nothing where there is nothing to do.
$(STAMP): pyproject.toml .ci/packages
	@bash .ci/packages
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || python3 -m venv --clear $(VENV)
	@$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable ".[dev]"
	@touch $@

play: setup
	$(BIN)/minebot play --launch --target winemine --games $(GAMES) --level $(LEVEL) --speed $(SPEED)

# One process more than processors: the live games are played by one of them, and mostly wait.
test: setup
	@bash .ci/packages test
	$(BIN)/python -m pytest --numprocesses $$(($$(nproc) + 1)) --dist loadgroup

quick: setup
	$(BIN)/python -m pytest --numprocesses auto $(QUICK)

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# A virtual environment of its own: what the development needs has no place in the program. Everything in it has its
# hash in a file; some libraries come as sources alone, and are built with the tools that are there already.
program: setup
	@bash .ci/packages program
	python3 -m venv $(BUILD)/venv
	$(BUILD)/venv/bin/python -m pip install --quiet --require-hashes --requirement .github/program/tools.txt
	$(BUILD)/venv/bin/python -m pip install --quiet --require-hashes --no-build-isolation --requirement .github/program/libraries.txt
	$(BUILD)/venv/bin/python -m pip install --quiet --no-deps --no-build-isolation .
	$(BUILD)/venv/bin/python .github/program/build.py $(BUILD)
	PYTHONPATH=tests/live $(BIN)/python .github/program/check.py $(BUILD)/minebot/minebot $(BUILD)/pictures

program-windows: setup
	PYTHONPATH=tests/live $(BIN)/python .github/program/build_under_wine.py $(BUILD)/windows
	PYTHONPATH=tests/live $(BIN)/python .github/program/check.py $(BUILD)/windows/minebot/minebot.exe $(BUILD)/windows/pictures

# Debian 12, on which the Linux program is built, has Python 3.11; the pins are right for that and for later ones.
PIN := uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --custom-compile-command "make pins"
pins:
	$(PIN) --group release --output-file .github/program/tools.txt
	$(PIN) pyproject.toml --output-file .github/program/libraries.txt

clean:
	rm -rf $(BUILD) $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis
