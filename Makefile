# make book     build the site (first time: makes the environment, executes the chapters)
# make test     all that decides whether a change may land
# make lab      open the chapters as notebooks
# make help     the rest

PYTHON ?= $(shell command -v python3.11 || command -v python3)
PORT   ?= 8000
# So many tests at a time; each takes up to 0.7 GB.  nproc says 1 where OpenMP is told to take one thread.
JOBS   ?= $(shell n=$$(OMP_NUM_THREADS= OMP_THREAD_LIMIT= nproc 2>/dev/null || getconf _NPROCESSORS_ONLN); echo $$((n < 4 ? n : 4)))
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/ready
SITE   := _build/html

# The tools are run from this tree.
export PYTHONPATH := $(CURDIR)
# A build says what it does line by line, also when it writes to a file.
export PYTHONUNBUFFERED := 1

.DELETE_ON_ERROR:
.PHONY: help book chapters chapter check formulas edits record lab serve pdf slides test unit notebooks compare site
.PHONY: slow fuzz fresh weekly bench clean

book: $(READY)
	@$(BIN)/python -m tools.build

help:
	@sed -n 's/^# make /make /p' Makefile
	@echo "make chapter NAME=softmax/numerics   execute and preview one chapter"
	@echo "make pdf                             the book and its parts as PDF, which the site then offers"
	@echo "make pdf NAME=softmax/numerics       one chapter as PDF; or NAME=softmax, one part"
	@echo "make slides NAME=gumbel/gumbel_max   the deck of one chapter as PDF"
	@echo "make check NAME=softmax/numerics     all tests of one chapter, and of its page"
	@echo "make formulas NAME=softmax/numerics  keep what one chapter shows and asserts, for the diff to show it"
	@echo "make edits NAME=softmax/numerics     random wrong edits of one chapter: which does its test let pass?"
	@echo "make record NAME=rewards/seqgan      run the experiments of one chapter that take long, and keep the runs"
	@echo "make weekly SEED=7                   what takes hours: make compare, slow, fuzz SEED=7, fresh SEED=7"
	@echo "make chapters | serve | bench | clean"
	@echo "make … UV_TORCH_BACKEND=cpu          PyTorch without CUDA: gigabytes less to fetch"
	@echo "make … JOBS=2                        two processes at a time"

# --- The environment ---------------------------------------------------------

# Where pip would take torch with CUDA, UV_TORCH_BACKEND=cpu makes uv take the one without, gigabytes smaller.
PIP     := $(BIN)/python -m pip install --quiet --disable-pip-version-check
INSTALL := $(if $(UV_TORCH_BACKEND),$(BIN)/uv pip install --quiet --python $(BIN)/python,$(PIP))

# The stamp is written last: an environment that was interrupted has none, and is completed.
$(READY): requirements.txt tools/pdf/requirements.txt pyproject.toml
	@"$(PYTHON)" -c 'import sys; sys.version_info >= (3, 11) or sys.exit(f"Python 3.11 or newer is needed, $(PYTHON) is {sys.version.split()[0]}; name one with make PYTHON=...")'
	"$(PYTHON)" -m venv $(VENV)
	$(if $(UV_TORCH_BACKEND),$(PIP) uv==0.13.9)
	$(INSTALL) -r requirements.txt -r tools/pdf/requirements.txt
	$(INSTALL) --no-deps --editable .
	@touch $@

# --- Building ----------------------------------------------------------------

chapters: $(READY)
	@$(BIN)/python -m tools.execute

# Apart from the book, so that the other chapters may be stale; warnings are not errors here.
chapter: $(READY)
	@test -n "$(NAME)" || { echo "which one? make chapter NAME=softmax/numerics"; exit 2; }
	@$(BIN)/python -m tools.build $(NAME)

# Without a name all whose record is stale. DASK=HOST:PORT sends the runs to a cluster.
record: $(READY)
	@JOBS=$(JOBS) $(BIN)/python -m tools.record $(NAME)

# Copies of the notebooks that the site offers, in notebooks/.
lab: book
	@$(BIN)/python -m tools.lab

# The book and its parts, which the site then offers; or what NAME says.
pdf: book
	@$(BIN)/python -m tools.pdf $(NAME)
	@$(if $(NAME),,$(BIN)/python -m tools.build)

# The deck of a chapter as PDF; on the site it is the page with ?slides behind its address.
slides: book
	@test -n "$(NAME)" || { echo "which one? make slides NAME=gumbel/gumbel_max"; exit 2; }
	@$(BIN)/python -m tools.slides $(NAME)

serve: book
	@$(BIN)/python -c 'import socket; socket.create_server(("127.0.0.1", $(PORT))).close()' 2>/dev/null \
		|| { echo "port $(PORT) is not free; name another: make serve PORT=8001"; exit 1; }
	@echo "http://localhost:$(PORT)   (Ctrl-C to stop)"
	@$(BIN)/python -m http.server $(PORT) --bind 127.0.0.1 --directory $(SITE)

# --- Testing -----------------------------------------------------------------

test: unit book notebooks site
	@echo; echo "=== all tests passed"

# In a test one stage comes after the other, also under make -j; alone each runs at once.
ifneq ($(filter test,$(MAKECMDGOALS)),)
book: unit
notebooks: book
site: notebooks
endif

# What no chapter changes is tested where it was changed.
MACHINERY := tests/proofread tests/building tests/figures proofread softmaxnotes/figures

# The tests of a chapter execute it, once: the site is built from what they keep.
unit: $(READY)
	@echo; echo "=== style, unit tests and doctests, chapters"
	@$(BIN)/ruff check --quiet softmaxnotes proofread tools tests benchmarks conftest.py
	@$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-workflows .github/workflows/*.yml
	@$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-issue-forms .github/ISSUE_TEMPLATE/*.yml
	@$(BIN)/zizmor --quiet --offline --no-progress --persona pedantic .github/workflows
	@JOBS=$(JOBS) $(BIN)/python -m tools.machinery $(MACHINERY)
	@$(BIN)/python -m pytest -n $(JOBS) --dist loadfile -q \
		$(addprefix --ignore=,tests/site $(MACHINERY)) tests softmaxnotes

# All of one chapter, its page and the figures with knobs on it.
check: $(READY)
	@JOBS=$(JOBS) $(BIN)/python -m tools.check $(NAME)

# What the page shows and asserts, in tests/PART/NAME.tex, and which lines it offers to be changed, in NAME.lines:
# an intended change is seen in the diff.
formulas: $(READY)
	@test -z "$(NAME)" || test -f "book/$(NAME).md" || { echo "which one? make formulas NAME=softmax/numerics"; exit 2; }
	@$(BIN)/python -m pytest -n $(JOBS) --dist loadfile -q --accept-formulas -k formulas \
		$(if $(NAME),tests/$(dir $(NAME))test_$(notdir $(NAME))_page.py,$(wildcard tests/test_*_page.py tests/*/test_*_page.py))
	@$(BIN)/python -m tools.checker.export $(NAME)

# What passes is for a reader to judge.
edits: $(READY)
	@test -f "book/$(NAME).md" || { echo "which one? make edits NAME=softmax/numerics"; exit 2; }
	@$(BIN)/python -m tools.edits tests/$(dir $(NAME))test_$(notdir $(NAME))_page.py --seed $(or $(SEED),1)

# Those that have passed as they stand need not run again, nor proofs be made again that the build has made.
notebooks: $(READY)
	@echo; echo "=== the notebooks that the site offers, executed by nbval, against what they show"
	@JOBS=$(JOBS) $(BIN)/python -m tools.compare

compare: book
	@echo; echo "=== the same, all of them, with all proofs"
	@JOBS=$(JOBS) $(BIN)/python -m tools.compare --anew

site: $(READY)
	@echo; echo "=== the site in a browser"
	@$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup -q tests/site

# The tests that make test leaves out, as a faster one takes the same way: each notebook where only the
# package is, JupyterLab, long integrals, the falsifications of the pages that were not in the sample, and each
# line of a derivation in the Python of the browser.
slow: book
	@echo; echo "=== what is slow"
	@$(BIN)/python -m tools.checker.trial
	@$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -q --slow -m slow tests/proofread tests/site
	@$(BIN)/python -m pytest -n $(JOBS) --dist loadfile -q --slow -m slow $(wildcard tests/*/test_*_page.py)

# Normal forms and integrals against random expressions, with seeds that nobody has seen.
fuzz: $(READY)
	@echo; echo "=== random formulas"
	@PROOFREAD_ROUND_TRIPS=5000 PROOFREAD_FRESH_SEED=$(or $(SEED),1) \
		$(BIN)/python -m pytest -n $(JOBS) -q tests/proofread/any_size tests/proofread/latex/test_printed_and_read.py \
		tests/proofread/numeric/test_balls.py

# All chapters, and all runs of experiments, with seeds that nobody has seen: no sentence may be contradicted.
fresh: export PROOFREAD_FRESH_SEED := $(or $(SEED),1)
fresh: export PROOFREAD_FRESH_RECORDS := $(CURDIR)/_build/fresh/$(or $(SEED),1)
fresh: $(READY)
	@echo; echo "=== fresh seeds"
	@JOBS=$(JOBS) $(BIN)/python -m tools.record
	@$(BIN)/python -m tools.execute

# One stage after the other, also where one fails; the page Status shows what came of it.
weekly: $(READY)
	@$(BIN)/python -m tools.weekly $(or $(SEED),1)

bench: $(READY)
	@for script in benchmarks/*.py; do echo "=== $$script"; $(BIN)/python $$script || exit 1; done

clean:
	rm -rf _build
