# make book     build the site (first time: makes the environment, executes the chapters)
# make test     all that decides whether a change may land
# make lab      open the chapters as notebooks
# make help     the rest

PYTHON ?= $(shell command -v python3.11 || command -v python3)
PORT   ?= 8000
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/ready
SITE   := _build/html

# The tools are run from this tree.
export PYTHONPATH := $(CURDIR)
# A build says what it does line by line, also when it writes to a file.
export PYTHONUNBUFFERED := 1

.DELETE_ON_ERROR:
.PHONY: help book chapters chapter check lab serve test unit compare site fuzz bench clean

book: $(READY)
	@$(BIN)/python -m tools.build

help:
	@sed -n 's/^# make /make /p' Makefile
	@echo "make chapter NAME=softmax/numerics   execute and preview one chapter"
	@echo "make check NAME=softmax/numerics     all tests of one chapter, and of its page"
	@echo "make chapters | serve | compare | bench | clean"
	@echo "make fuzz SEED=7   the prover and the printer against random formulas"

# --- The environment ---------------------------------------------------------

# Where pip would take torch with CUDA, UV_TORCH_BACKEND=cpu makes uv take the one without, gigabytes smaller.
PIP     := $(BIN)/python -m pip install --quiet --disable-pip-version-check
INSTALL := $(if $(UV_TORCH_BACKEND),$(BIN)/uv pip install --quiet --python $(BIN)/python,$(PIP))

# The stamp is written last: an environment that was interrupted has none, and is completed.
$(READY): requirements.txt pyproject.toml
	@"$(PYTHON)" -c 'import sys; sys.version_info >= (3, 11) or sys.exit(f"Python 3.11 or newer is needed, $(PYTHON) is {sys.version.split()[0]}; name one with make PYTHON=...")'
	"$(PYTHON)" -m venv $(VENV)
	$(if $(UV_TORCH_BACKEND),$(PIP) uv==0.13.9)
	$(INSTALL) -r requirements.txt
	$(INSTALL) --no-deps --editable .
	@touch $@

# --- Building ----------------------------------------------------------------

chapters: $(READY)
	@$(BIN)/python -m tools.execute

# Apart from the book, so that the other chapters may be stale; warnings are not errors here.
chapter: $(READY)
	@test -n "$(NAME)" || { echo "which one? make chapter NAME=softmax/numerics"; exit 2; }
	@$(BIN)/python -m tools.build book/$(NAME)

# Copies of the notebooks that the site offers, in notebooks/.
lab: book
	@$(BIN)/python -m tools.lab

serve: book
	@$(BIN)/python -c 'import socket; socket.create_server(("127.0.0.1", $(PORT))).close()' 2>/dev/null \
		|| { echo "port $(PORT) is not free; name another: make serve PORT=8001"; exit 1; }
	@echo "http://localhost:$(PORT)   (Ctrl-C to stop)"
	@$(BIN)/python -m http.server $(PORT) --bind 127.0.0.1 --directory $(SITE)

# --- Testing -----------------------------------------------------------------

test: unit book site
	@echo; echo "=== all tests passed"

# In a test one stage comes after the other, also under make -j; alone each runs at once.
ifneq ($(filter test,$(MAKECMDGOALS)),)
book: unit
site: book
endif

# The tests of a chapter execute it, once: the site is built from what they keep.
unit: $(READY)
	@echo; echo "=== style, unit tests and doctests, chapters"
	@$(BIN)/ruff check --quiet softmaxnotes tools tests benchmarks conftest.py
	@$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-workflows .github/workflows/*.yml
	@$(BIN)/zizmor --quiet --offline --no-progress .github/workflows
	@$(BIN)/python -m tools.machinery
	@$(BIN)/python -m pytest -n 2 --dist loadfile -q --ignore=tests/site --ignore=tests/proof \
		--ignore=softmaxnotes/proof tests softmaxnotes

# All of one chapter, its page and the figures with knobs on it.
SPACE := $(subst ,, )
KNOBS  = $(subst _figure.py,,$(notdir $(shell grep -l '"book/$(NAME)"' tests/*/*_figure.py)))
check: $(READY)
	@test -n "$(NAME)" || { echo "which one? make check NAME=softmax/numerics"; exit 2; }
	@$(BIN)/python -m pytest -n 2 --dist loadfile -q softmaxnotes/$(NAME).py \
		$(wildcard tests/$(dir $(NAME))test_$(notdir $(NAME)).py tests/$(dir $(NAME))test_$(notdir $(NAME))_*.py)
	@$(BIN)/python -m tools.build book/$(NAME)
	@SOFTMAXNOTES_SITE=_build/preview/_build/html $(BIN)/python -m pytest -n 2 --dist loadgroup -q \
		tests/site/test_pages.py tests/site/test_interactive.py -k "$(subst $(SPACE), or ,$(notdir $(NAME)) $(KNOBS))"

compare: $(READY)
	@echo; echo "=== the published notebooks, executed again by nbval, against what they show"
	@$(BIN)/python -m tools.compare

site: $(READY)
	@echo; echo "=== the site in a browser"
	@$(BIN)/python -m pytest -n 2 --dist loadgroup -q tests/site

# The normal forms against random expressions, with seeds that nobody has seen; and what is slow.
fuzz: $(READY)
	@SOFTMAXNOTES_ROUND_TRIPS=5000 SOFTMAXNOTES_FRESH_SEED=$(or $(SEED),1) \
		$(BIN)/python -m pytest -n 2 -q tests/proof/general tests/proof/test_printed_and_read.py
	@$(BIN)/python -m pytest -n 2 --dist worksteal -q --slow -m slow tests/proof

bench: $(READY)
	@for script in benchmarks/*.py; do echo "=== $$script"; $(BIN)/python $$script || exit 1; done

clean:
	rm -rf _build
