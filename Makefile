# `make demo` shows the main job, `make test` proves it. Both make their own environment in .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
CORE := CMakeLists.txt pyproject.toml $(wildcard src/core/*/*)

# Compiled modules are kept, also where the environment says otherwise: tests start many processes.
export PYTHONDONTWRITEBYTECODE :=

# For other environments: a build folder of their own, so that of .venv stays valid.
APART := --config-settings=build-dir=build/apart-{wheel_tag}

FUZZ := build/fuzz
SECONDS ?= 120

.PHONY: demo test test-all test-product lint types layers unit recipes test-spark docs coverage sanitize fuzz bench bench-quick bench-tables \
	bench-tables-quick bench-gpu bench-arrays bench-live bench-trust sbom reproducible locks sdist \
	test-elsewhere site size portable wheels release-check bench-builds coverage-of-tests mutate verifytypes weekly clean

# `make demo HTML=digits.html` also writes the page, with the images of the digits.
demo: $(VENV)/installed
	$(BIN)/concordant compare examples/digits/truth.csv examples/digits/kmeans.csv$(if $(HTML), --html $(HTML) --details examples/digits/images.csv --images image)

# Side by side; what is short is printed when it is done, pytest shows its progress meanwhile.
# At the end: which tests were not run, and the command that runs them.
NOT_RUN := build/not-run
PARTS := unit test-spark types lint layers
test: docs
	@rm -rf $(NOT_RUN)
	$(MAKE) --no-print-directory --jobs=5 --output-sync=target $(PARTS) \
		UNIT="--not-run=$(NOT_RUN)/unit.txt $(UNIT)" SPARK="--not-run=$(NOT_RUN)/spark.txt $(SPARK)"
	@cat $(NOT_RUN)/*.txt

# Also the tests that are marked weekly: they take long, and repeat on more data what others check.
test-all:
	$(MAKE) test UNIT=--weekly SPARK=--weekly

# Without the checks of the text, whose result does not depend on the system or on versions: workflows run those once.
test-product:
	$(MAKE) test PARTS="unit test-spark types"

# Every target that is not run regularly, one after the other; a table at the end. TARGETS="recipes peers" runs these alone.
weekly:
	$(PYTHON) scripts/weekly.py $(TARGETS)

# Names, messages, docstrings, pages, metadata and the interface, in one process: see tests/contract.
# TEXT="words grammar:R9" runs the checks of a module and one other check; they fix nothing.
lint: $(VENV)/tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	PYTHONPATH=tests:tests/support $(BIN)/python -m contract $(TEXT)

types: $(VENV)/tested
	$(BIN)/mypy

layers: $(VENV)/tested
	$(BIN)/lint-imports

# In as many processes as tests/conftest.py says. The + is for make, which else holds all output back to the end.
unit: $(VENV)/tested
	+$(BIN)/pytest --numprocesses=auto --no-loadscope-reorder --ignore=tests/spark -m "not spark" $(UNIT)

# A real cluster: a standalone master, two workers, and a Connect server, all on this machine; needs Java.
# A process of its own, which mostly waits. The engines' tests on Spark are with it.
test-spark: $(VENV)/tested
	$(BIN)/pytest tests/spark tests/engines -m spark $(SPARK)

# The code of docs/recipes.md and docs/tracking.md with the tools that it names; some of them ask for an older pandas.
recipes: $(VENV)/installed
	test -x $(VENV)-recipes/bin/python || $(PYTHON) -m venv $(VENV)-recipes
	$(VENV)-recipes/bin/python -m pip install --quiet $(APART) --editable '.[test,recipes]'
	$(VENV)-recipes/bin/python -m pytest tests/peers/test_recipes.py

# What the documentation states about other libraries, against these libraries, with the versions that were found; and
# the same values as theirs on random data.
.PHONY: peers
peers: $(VENV)-peers/installed
	$(VENV)-peers/bin/python -m pip install --quiet $(APART) --editable '.[peers]' pytest pytest-xdist pandas
	$(VENV)-peers/bin/python -m pytest --noconftest tests/peers/test_peer_statements.py tests/peers/test_peers.py

# Lines, classes, modules and the longest functions. There is no limit: it shows reviewers how a change moves them.
size:
	@$(PYTHON) scripts/size.py

# On macOS and Windows: the library and the command line, without Spark, Dask and the browser.
test-elsewhere: $(VENV)/tested
	$(BIN)/pytest --ignore=tests/spark --ignore=tests/browser -k "not spark and not dask"

# The pages and the stubs for type checkers that follow from the declarations of the indices.
docs: $(VENV)/tested
	$(BIN)/python scripts/make_docs.py
	$(BIN)/python scripts/make_types.py

# A page for each data set of examples/ into docs/gallery, and its picture where Chromium is installed.
.PHONY: gallery
gallery: $(VENV)/tested
	$(BIN)/python scripts/gallery.py

# How often intervals hold the truth and chance passes for agreement, by simulation; some minutes. Writes PAGE.
PAGE ?= docs/internals/coverage.md
coverage: $(VENV)/installed
	OMP_NUM_THREADS=1 $(BIN)/python bench/coverage --page $(PAGE)

# Lines and branches that the tests run, without Spark, a GPU and the browser; fails below 95 %, also of the engines.
coverage-of-tests: $(VENV)/tested
	$(BIN)/python -m pip install --quiet 'pytest-cov>=6'
	+$(BIN)/pytest --numprocesses=auto --ignore=tests/spark --ignore=tests/browser \
		-k "not spark" --cov=concordant --cov-report=
	$(BIN)/coverage report --skip-covered --show-missing --precision=1 --fail-under=95
	@echo 'The engines alone; their gpu/kernels.py is not counted, which starts kernels and takes a GPU:'
	$(BIN)/coverage report --include='*/concordant/engines/*' --precision=1 --fail-under=95

# Small changes to each package, which some test must detect; fails if a recorded change is no longer detected.
# MUTANTS=4 tries four of each package; CHECK=1 tries only those that are recorded as detected.
mutate: $(VENV)/tested
	$(BIN)/python scripts/mutate.py $(if $(MUTANTS),--each $(MUTANTS)) $(if $(CHECK),--check)

# The errors and warnings that tests provoke, each with its input; takes some minutes.
.PHONY: messages
messages: $(VENV)/tested
	$(BIN)/python scripts/messages.py

# Every public name has a type that type checkers agree on (pyright).
verifytypes: $(VENV)/tested
	$(BIN)/python -m pip install --quiet pyright
	PYTHONPATH=src $(BIN)/pyright --pythonpath $(BIN)/python --ignoreexternal --verifytypes concordant

# The C++ core alone, under AddressSanitizer, UndefinedBehaviorSanitizer and ThreadSanitizer.
sanitize:
	$(MAKE) --jobs=2 -C tests/core sanitize

# Random and hostile buffers, Arrow arrays, texts and saved files against oracles in Python, on a core that is built
# with AddressSanitizer and UndefinedBehaviorSanitizer (GCC); for SECONDS=120. The seed is printed; SEED= and ROUND=
# repeat what failed.
fuzz: $(FUZZ)/built
	PYTHONPATH=tests:tests/support $(BIN)/python -m fuzzing --core $(FUZZ) --seconds $(SECONDS) \
		$(if $(SEED),--seed $(SEED)) $(if $(ROUND),--round $(ROUND))

$(FUZZ)/built: $(CORE) | $(VENV)/tested
	$(BIN)/python -m pip install --quiet nanobind
	CXX=g++ cmake -S . -B $(FUZZ) -DCMAKE_BUILD_TYPE=Sanitized \
		-DPython_EXECUTABLE=$(abspath $(BIN)/python) \
		-DCMAKE_CXX_FLAGS="-g1 -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer"
	cmake --build $(FUZZ) --parallel
	touch $@

# Speed and memory against the peers, in an environment of its own; writes docs/performance.md.
# BENCH=--resume measures only what a run before left out.
bench: $(VENV)-bench/installed
	$(VENV)-bench/bin/python bench/run.py $(BENCH)

bench-quick: $(VENV)-bench/installed
	$(VENV)-bench/bin/python bench/run.py --quick $(BENCH)

# Tables in files and on Spark, against queries written by hand; writes docs/internals/performance-tables.md.
# 100 million records, half an hour and 10 GB of disk; the quick form has 10 million, and writes into build/bench/quick.
bench-tables: $(VENV)-bench/installed
	$(VENV)-bench/bin/python bench/tables.py

bench-tables-quick: $(VENV)-bench/installed
	$(VENV)-bench/bin/python bench/tables.py --quick

# Edits, streams and consensus, in processor time; river beside it where it is installed.
bench-live: $(VENV)/installed
	$(BIN)/python bench/live.py

# Significance, intervals, random models and estimates, against their limits and the time to read the files.
bench-trust: $(VENV)/installed
	$(BIN)/python bench/trust.py

# Labels on a GPU, against the time to read them once and against peers; writes docs/internals/performance-gpu.md. Needs a
# GPU of 80 GB or more, and a driver of CUDA 13.
bench-gpu: $(VENV)/installed
	$(EDITABLE) '.[gpu]' torch torchmetrics
	$(BIN)/python bench/gpu.py

# Label volumes in memory and, with ARRAYS="--edge 256 512 --zarr 1000", in Zarr; writes docs/internals/performance-arrays.md.
bench-arrays: $(VENV)/installed
	$(BIN)/python -m pip install --quiet scikit-image zarr
	$(BIN)/python bench/arrays.py $(ARRAYS)

$(VENV)-bench/installed: $(CORE) bench/requirements.txt $(wildcard src/concordant/*.py src/concordant/*/*.py)
	test -x $(VENV)-bench/bin/python || $(PYTHON) -m venv $(VENV)-bench
	$(VENV)-bench/bin/python bench/install.py
	touch $@

# The core's fuzzer by several compilers, also for other systems; what cannot run here is named with the reason.
portable: $(VENV)-wheels/installed
	$(VENV)-wheels/bin/python scripts/portable.py

# The source and wheels for Linux from glibc 2.28 on, in dist/: built without a container, checked, and tried as installed.
wheels: $(VENV)-wheels/installed
	$(VENV)-wheels/bin/python scripts/make_wheels.py

# Everything that a release needs: version, changelog, citation, README as the index shows it (twine), wheels, workflow, address.
release-check: wheels
	$(VENV)-wheels/bin/python scripts/check_release.py

# The published wheel against one by this machine's compiler as it is, row by row of the bench; takes Python 3.11, a
# quiet machine and some ten minutes. Fails where the published one loses more than 5 %. ROWS="--only direct matrix" asks fewer.
bench-builds: $(VENV)-bench/installed wheels
	$(VENV)-bench/bin/python -m pip wheel --quiet --no-deps --wheel-dir build/bench \
		--config-settings=build-dir=build/bench-{wheel_tag} .
	$(VENV)-bench/bin/python bench/builds.py build/bench/concordant-*.whl dist/concordant-*-cp311-*.whl $(ROWS)

# The source as it is published, checked as the index would.
sdist: $(VENV)-wheels/installed
	$(VENV)-wheels/bin/python -m build --sdist
	$(VENV)-wheels/bin/python -m twine check --strict dist/*.tar.gz

# The documentation as a site in build/site: a warning is an error, every link within it is checked, every example runs,
# and a browser looks at every page where Chromium is installed.
site: $(VENV)-site/installed $(VENV)/tested
	$(BIN)/pytest tests/interface/test_docs.py -k pages
	rm -rf build/site
	CONCORDANT_PACKAGES=$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))') \
		$(VENV)-site/bin/python -m sphinx -W --keep-going -E -q -b html -c site docs build/site
	$(BIN)/python scripts/check_site.py
	@echo build/site/index.html

# The bill of materials of a wheel (CycloneDX). Each published wheel carries its own.
sbom: $(VENV)-wheels/installed
	$(VENV)-wheels/bin/python scripts/make_sbom.py build/sbom.json
	@echo build/sbom.json

# Two builds in two folders must give the same wheel, bit by bit.
reproducible: $(VENV)-wheels/installed
	$(VENV)-wheels/bin/python scripts/check_reproducible.py

# PIP_CONSTRAINT=requirements/locked.txt make test uses the versions of the day of the lock. oldest.txt has the oldest allowed
# of what concordant needs, with tools of that day that take them: for make unit and make test-spark, as types differ.
LOCK := $(VENV)-wheels/bin/uv pip compile pyproject.toml --quiet --no-annotate --python-version 3.11 \
	--custom-compile-command 'make locks'
locks: $(VENV)-wheels/installed
	$(LOCK) --extra test --universal --upgrade --output-file requirements/locked.txt
	mkdir -p build
	$(LOCK) --extra cli --extra plot --resolution lowest-direct --no-header \
		--output-file build/oldest-needed.txt
	$(LOCK) --extra test --constraint build/oldest-needed.txt --upgrade --output-file requirements/oldest.txt

$(VENV)-%/installed: requirements/%.txt
	test -x $(VENV)-$*/bin/python || $(PYTHON) -m venv $(VENV)-$*
	$(VENV)-$*/bin/python -m pip install --quiet --requirement $<
	touch $@

# Editable: changes in Python need no new build. The tools that build the core are installed first and used as they are
# (--no-build-isolation). In an environment of its own for each build they would have a new path each time, and every
# object would be compiled again.
EDITABLE := $(BIN)/python -m pip install --quiet --no-build-isolation --editable

$(VENV)/installed: $(CORE)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip  # that of Python 3.11 takes minutes to choose versions
	$(BIN)/python -m pip install --quiet --group build
	$(EDITABLE) '.[cli]'
	touch $@

# Only what tests need besides: concordant is installed. With the tools of the step above, --no-build-isolation would
# fail for packages that come as source alone and build with setuptools (PySpark).
$(VENV)/tested: $(VENV)/installed
	$(BIN)/python -m pip install --quiet 'concordant[test]'
	-command -v npm >/dev/null && npm install --silent --no-save --no-package-lock axe-core@4
	-$(BIN)/pytest --collect-only --quiet >/dev/null 2>&1  # compiles the tests, as pip did what it installed
	touch $@

clean:
	rm -rf $(VENV) build dist
