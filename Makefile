# Two commands start everything on a machine with Python >= 3.11 and make:
#   make demo    installs tapeflow into .venv and trains and explains something worth seeing
#   make test    lint, types and tests
# The rest is for people who work on tapeflow.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

# TensorFlow and its rivals live apart from the project's own virtualenv.
PEERS := .venv-bench
PEERS_READY := $(PEERS)/.ready
JAX := .venv-jax
JAX_READY := $(JAX)/.ready
JAX_PACKAGE ?= jax
DOCS := .venv-docs
DOCS_READY := $(DOCS)/.ready
ORACLE := .venv-oracle
ORACLE_READY := $(ORACLE)/.ready
TENSORFLOW ?= tensorflow-cpu==2.21.0
TORCH ?= torch==2.13.0
PIP := -m pip --disable-pip-version-check install --quiet

# Tests and examples start many processes, which start at once only from compiled files.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo test lint types unit fuzz fuzz-files repeat choices emulated coverage hostile bench bench-function bench-compiled bench-ops bench-data bench-reading bench-keras bench-inference bench-half bench-memory bench-scaling bench-growth bench-insight browser ops-table public-names private-names stubs docstrings docs notebooks keras-suite keras-record libraries tensorflow-examples conformance-record clean

help:
	@echo 'make demo                train and explain something worth seeing (ten seconds, and the set-up)'
	@echo 'make test                lint, types and tests'
	@echo 'make lint | types | unit the three parts of make test'
	@echo 'make fuzz SECONDS=600    random training steps on all cores: eager against every executor'
	@echo 'make choices             every choice of the compiler forced, against NumPy; which no test takes'
	@echo 'make coverage            lines and branches of tapeflow/jit that its tests execute'
	@echo 'make repeat              programs, kernels and native code: the same bits on any number of cores'
	@echo 'make emulated            native code for aarch64 and AVX-512, executed by emulators (an hour)'
	@echo 'make fuzz-files          2,000 mutated files of every format; COUNT=…, SEED=…, TF_PYTHON=…'
	@echo 'make hostile SEED=7      wrong arguments for every public function: against TensorFlow'
	@echo 'make bench               speed against TensorFlow and PyTorch (installs both beside the project)'
	@echo 'make bench-function      speed of tf.function against TensorFlow and XLA'
	@echo 'make bench-compiled      compiled functions against TensorFlow, XLA, JAX and PyTorch'
	@echo 'make bench-ops           every public op against TensorFlow eager, worst first'
	@echo 'make bench-data          tf.data against TensorFlow'
	@echo 'make bench-insight       what the debugger costs while nobody asks'
	@echo 'make bench-reading       records, Examples, CSV and images against TensorFlow'
	@echo 'make bench-keras         Keras fit over tapeflow, TensorFlow and JAX'
	@echo 'make bench-inference     answers of models against TensorFlow and onnxruntime'
	@echo 'make bench-half          half precision against float32 and TensorFlow'
	@echo 'make bench-memory        what the tape keeps and frees'
	@echo 'make bench-scaling       ranks over MPI against one, a bare Allreduce and PyTorch DDP'
	@echo 'make bench-growth        time and memory against size, beside TensorFlow, XLA, JAX and PyTorch'
	@echo 'make browser             the HTML report in a headless Chromium: tabs, hover, zoom'
	@echo 'make ops-table           write docs/ops.md from the op records'
	@echo 'make public-names        write which module has which public names'
	@echo 'make private-names       write which private names of TensorFlow are public ones'
	@echo 'make docstrings          run the examples of docstrings again, and keep what they print'
	@echo 'make stubs               write tapeflow-stubs, types for users, from the package'
	@echo 'make docs                the documentation site, in site/ (opens without a server or a network)'
	@echo 'make notebooks           execute the tutorials again, and keep what they print and plot'
	@echo 'make keras-suite         the tests of Keras itself on tapeflow, against TensorFlow (half an hour)'
	@echo 'make libraries           programs with TensorFlow Probability, GPflow and others, against TensorFlow'
	@echo 'make tensorflow-examples TensorFlow'"'"'s docstring examples here: how many, and which not'
	@echo 'make conformance-record  record what TensorFlow prints for every conformance program'
	@echo 'make clean               remove virtualenvs and caches'

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "tapeflow needs Python 3.11 or newer; this is " + sys.version.split()[0] + ": make PYTHON=/path/to/python3.11")'
	@echo 'Setting up $(VENV) …'
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python $(PIP) -e '.[dev]'
	@touch $@

demo: $(READY)
	@$(BIN)/python examples/demo.py

test: lint types unit

lint: $(READY)
	@$(BIN)/ruff check .

types: $(READY)
	@$(BIN)/mypy

unit: $(READY)
	@$(BIN)/python -m pytest -n auto

# RECORD=1 adds a line to docs/fuzzing.md.
SECONDS ?= 600

fuzz: $(READY)
	@$(BIN)/python -m tests.fuzz --seconds $(SECONDS) $(if $(RECORD),--record)

choices: $(READY)
	@$(BIN)/python -m tests.jit.choice_report

# MACHINE=aarch64, avx512 or widened: one of them.
emulated: $(READY)
	@$(BIN)/python tools/emulated.py $(MACHINE)

COVERAGE_READY := $(VENV)/.coverage-ready

$(COVERAGE_READY): $(READY)
	@$(BIN)/python $(PIP) coverage
	@touch $@

# Native code is compiled in threads of its own and in child processes: both are counted.
coverage: $(COVERAGE_READY)
	@$(BIN)/python tools/coverage_jit.py

repeat: $(READY)
	@$(BIN)/python -m tests.repeat

COUNT ?= 2000
SEED ?= 0

fuzz-files: $(READY)
	@$(BIN)/python -m tests.file_fuzz --count $(COUNT) --seed $(SEED) $(if $(TF_PYTHON),--oracle $(TF_PYTHON))

hostile: $(READY) $(ORACLE_READY)
	@$(BIN)/python -m tests.hostile --seed $(SEED) --tensorflow $(ORACLE)/bin/python

# What Keras's tests import beside Keras.
KERAS_EXTRAS := pytest pytest-xdist jax pandas grain requests pillow scipy
SUITE_READY := $(VENV)/.keras-ready

$(SUITE_READY): $(READY)
	@echo "Installing what Keras's tests need …"
	@$(BIN)/python $(PIP) $(KERAS_EXTRAS)
	@touch $@

# Libraries of TensorFlow's world, without TensorFlow: those without dependencies of theirs first.
LIBRARIES := .venv-libraries
LIBRARIES_READY := $(LIBRARIES)/.ready
LIBRARY_WHEELS := tensorflow-probability==0.25.0 gpflow dm-sonnet deepxde pennylane \
	pennylane-lightning foolbox eagerpy tf_keras
LIBRARY_NEEDS := scipy scikit-learn scikit-optimize matplotlib dm-tree tabulate wrapt deprecated \
	multipledispatch check-shapes networkx rustworkx 'autograd<1.9' appdirs autoray==0.8.4 \
	cachetools tomlkit diastatic-malt gast decorator cloudpickle opt_einsum astunparse termcolor \
	GitPython requests six protobuf pytest 'setuptools<81'

$(LIBRARIES_READY): pyproject.toml
	@$(PYTHON) -m venv $(LIBRARIES)
	@$(LIBRARIES)/bin/python $(PIP) -e '.[keras]' $(LIBRARY_NEEDS)
	@$(LIBRARIES)/bin/python $(PIP) --no-deps $(LIBRARY_WHEELS)
	@touch $@

libraries: $(LIBRARIES_READY)
	@$(LIBRARIES)/bin/python -m tapeflow run tests/libraries/programs.py

keras-suite: $(SUITE_READY)
	@$(BIN)/python tests/keras/keras_suite.py --show

keras-record: $(ORACLE_READY)
	@$(ORACLE)/bin/python $(PIP) $(KERAS_EXTRAS) torch
	@$(ORACLE)/bin/python tests/keras/keras_suite.py --record

$(PEERS_READY):
	@echo 'Setting up $(PEERS) with $(TENSORFLOW) and $(TORCH) …'
	@$(PYTHON) -m venv $(PEERS)
	@$(PEERS)/bin/python $(PIP) '$(TENSORFLOW)' '$(TORCH)'
	@touch $@

bench: $(READY) $(PEERS_READY)
	@$(BIN)/python bench/eager.py --tensorflow $(PEERS)/bin/python --torch $(PEERS)/bin/python

bench-function: $(READY) $(PEERS_READY)
	@$(BIN)/python bench/function.py --tensorflow $(PEERS)/bin/python --xla

bench-compiled: $(READY) $(PEERS_READY) $(JAX_READY)
	@$(BIN)/python bench/compiled.py --tensorflow $(PEERS)/bin/python --xla \
		--torch $(PEERS)/bin/python --inductor --jax $(JAX)/bin/python --chart docs/speed.svg

$(JAX_READY):
	@echo 'Setting up $(JAX) with $(JAX_PACKAGE) …'
	@$(PYTHON) -m venv $(JAX)
	@$(JAX)/bin/python $(PIP) '$(JAX_PACKAGE)'
	@touch $@

bench-ops: $(READY) $(PEERS_READY)
	@$(BIN)/python bench/ops.py --tensorflow $(PEERS)/bin/python

bench-data: $(READY) $(PEERS_READY)
	@$(BIN)/python bench/data.py --tensorflow $(PEERS)/bin/python

bench-insight: $(READY)
	@$(BIN)/python bench/insight.py

bench-reading: $(READY) $(PEERS_READY)
	@$(BIN)/python bench/reading.py --tensorflow $(PEERS)/bin/python

bench-keras: $(READY) $(PEERS_READY)
	@$(BIN)/python bench/keras_fit.py --tensorflow $(PEERS)/bin/python

bench-inference: $(READY) $(PEERS_READY)
	@$(BIN)/python bench/inference.py --tensorflow $(PEERS)/bin/python

bench-half: $(READY) $(PEERS_READY)
	@$(BIN)/python bench/half.py --tensorflow $(PEERS)/bin/python --xla

bench-memory: $(READY)
	@$(BIN)/python bench/memory.py

bench-scaling: $(READY) $(PEERS_READY)
	@$(BIN)/python bench/scaling.py --torch $(PEERS)/bin/python --chart docs/scaling.svg

bench-growth: $(READY) $(PEERS_READY) $(JAX_READY)
	@$(BIN)/python bench/growth.py --tensorflow $(PEERS)/bin/python --xla \
		--torch $(PEERS)/bin/python --jax $(JAX)/bin/python --chart docs/growth.svg \
		--page docs/growth.md

# SCREENSHOTS=docs/assets writes the pictures of docs/insight.md anew.
browser: $(READY)
	@$(BIN)/python -m tests.browser $(if $(SCREENSHOTS),--screenshots $(SCREENSHOTS))

ops-table: $(READY)
	@$(BIN)/python tools/ops_table.py

public-names: $(READY)
	@$(BIN)/python tools/public_names.py

private-names: $(READY) $(ORACLE_READY)
	@$(BIN)/python tools/private_names.py --tensorflow $(ORACLE)/bin/python

docstrings: $(READY)
	@$(BIN)/python tools/docstrings.py

stubs: $(READY)
	@$(BIN)/python tools/stubs.py

$(DOCS_READY): pyproject.toml
	@echo 'Setting up $(DOCS) …'
	@$(PYTHON) -m venv $(DOCS)
	@$(DOCS)/bin/python $(PIP) -e '.[docs]'
	@touch $@

docs: $(DOCS_READY)
	@NO_MKDOCS_2_WARNING=1 $(DOCS)/bin/python -m mkdocs build --quiet --strict
	@echo 'site/index.html'

notebooks: $(DOCS_READY)
	@$(DOCS)/bin/python tools/notebooks.py

$(ORACLE_READY):
	@echo 'Setting up $(ORACLE) with $(TENSORFLOW) …'
	@$(PYTHON) -m venv $(ORACLE)
	@$(ORACLE)/bin/python $(PIP) '$(TENSORFLOW)'
	@touch $@

tensorflow-examples: $(READY) $(ORACLE_READY)
	@$(BIN)/python tools/tensorflow_examples.py $(ORACLE)/bin/python --show

conformance-record: $(ORACLE_READY)
	@$(ORACLE)/bin/python tests/conformance/record.py

clean:
	rm -rf $(VENV) $(PEERS) $(JAX) $(LIBRARIES) $(ORACLE) $(DOCS) site .emulated .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find tapeflow tests examples bench -name __pycache__ -type d -prune -exec rm -rf {} +
