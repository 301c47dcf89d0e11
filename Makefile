# Everything that is done to this repository, by name: make help.

SHELL   := /bin/bash
GO      ?= go
# Packages to work on: make test PKG=./parse/...
PKG     ?= ./...
# Further flags of go test: make test TESTFLAGS='-count=1 -v'
TESTFLAGS ?=
# How long each fuzz target runs.
FUZZTIME ?= 5s
# How often each benchmark runs; benchstat wants 10.
BENCHCOUNT ?= 1
# Where build and samples put their files.
BIN ?= bin
OUT ?= out
# Where install puts the command: PREFIX/bin.
PREFIX ?= $(if $(filter 0,$(shell id -u)),/usr/local,$(HOME)/.local)
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)

GOFUMPT     := mvdan.cc/gofumpt@v0.12.0
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

export CGO_ENABLED ?= 0
# The command is built with it: where all is, nothing is compiled twice.
export GOFLAGS += -trimpath

.DEFAULT_GOAL := help
.PHONY: build command install sql test test-sql short race fuzz torture bench bench-corpus lint vuln cover samples dist clean help

build: command ## build every package, and the command into bin/
	$(GO) build ./...
	@echo "built $(BIN)/benchproof; make install puts it into $(PREFIX)/bin"

# The command alone, which is what a user needs.
command:
	@echo "building $(BIN)/benchproof: the first time takes a minute"
	$(GO) build -trimpath -ldflags '-X main.version=$(VERSION)' -o $(BIN)/ ./cmd/...

install: command ## put the command, its manual page and bash completion below PREFIX (/usr/local for root, else ~/.local)
	@install -D -m 755 $(BIN)/benchproof $(DESTDIR)$(PREFIX)/bin/benchproof
	@mkdir -p $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/bash-completion/completions
	@$(BIN)/benchproof man > $(DESTDIR)$(PREFIX)/share/man/man1/benchproof.1
	@$(BIN)/benchproof completion bash > $(DESTDIR)$(PREFIX)/share/bash-completion/completions/benchproof
	@echo "installed $(DESTDIR)$(PREFIX)/bin/benchproof, its manual page and bash completion"
	@case ":$$PATH:" in *:$(PREFIX)/bin:*) ;; *) echo "shells do not look there yet: export PATH=$(PREFIX)/bin:\$$PATH" ;; esac

sql: ## build benchproof-sql, the SQL engine of corpus query, into bin/ (needs a C compiler)
	@mkdir -p $(BIN)
	cd cmd/benchproof-sql && CGO_ENABLED=1 $(GO) build -trimpath -ldflags '-s -w' -o $(abspath $(BIN))/benchproof-sql .

test-sql: ## vet and test benchproof-sql, a module of its own, where it can be built
	@if ! command -v gcc >/dev/null; then echo "test-sql: skipped: no C compiler for DuckDB"; \
	elif ! (cd cmd/benchproof-sql && CGO_ENABLED=1 $(GO) list -deps . >/dev/null); then echo "test-sql: skipped: DuckDB's modules cannot be fetched"; \
	else cd cmd/benchproof-sql && CGO_ENABLED=1 $(GO) vet . && CGO_ENABLED=1 $(GO) test $(TESTFLAGS) .; fi

test: ## install what Debian programs tests use, and run all (PKG=./parse/... for some, TESTFLAGS for more flags)
	scripts/deps
	$(GO) test $(TESTFLAGS) $(PKG)

short: ## run the tests that take no time
	$(GO) test -short $(TESTFLAGS) $(PKG)

race: ## run the short tests under the race detector (needs a C compiler)
	CGO_ENABLED=1 $(GO) test -race -short $(TESTFLAGS) $(PKG)

fuzz: ## run every fuzz target for FUZZTIME (5s)
	scripts/fuzz $(FUZZTIME) $(PKG)

# make torture runs INPUTS broken inputs of SEED, from number FIRST on, through
# all commands, until TORTURETIME is over, on JOBS workers; those that fail are
# kept in TORTUREDIR.
INPUTS      ?= 20000
SEED        ?= 1
FIRST       ?= 0
TORTURETIME ?= 90m
JOBS        ?= 1
TORTUREDIR  ?= $(OUT)/torture
torture: sql ## run INPUTS (20000) broken inputs of SEED (1) through all commands, for TORTURETIME (90m) at most
	@mkdir -p $(TORTUREDIR)
	BENCHPROOF_TORTURE=$(INPUTS) BENCHPROOF_TORTURE_SEED=$(SEED) BENCHPROOF_TORTURE_FIRST=$(FIRST) BENCHPROOF_TORTURE_TIME=$(TORTURETIME) \
		BENCHPROOF_TORTURE_JOBS=$(JOBS) BENCHPROOF_TORTURE_OUT=$(abspath $(TORTUREDIR)) BENCHPROOF_SQL=$(abspath $(BIN))/benchproof-sql \
		$(GO) test -run 'TestTorture$$|TestSecurityMemory$$' -v -count=1 -timeout 0 ./cmd/benchproof

bench: ## run the benchmarks
	$(GO) test -run '^$$' -bench . -benchmem -count $(BENCHCOUNT) $(PKG)

# How many files bench-corpus makes, and where: 100 000 take 5 GB.
CORPUSFILES ?= 100000
CORPUSDIR   ?= /tmp/benchproof-corpus
bench-corpus: sql ## add CORPUSFILES (100000) made files to a corpus in CORPUSDIR, again, and ask it
	@mkdir -p $(CORPUSDIR)
	BENCHPROOF_CORPUS_SCALE=$(CORPUSFILES) BENCHPROOF_CORPUS_DIR=$(CORPUSDIR) BENCHPROOF_SQL=$(abspath $(BIN))/benchproof-sql \
		$(GO) test -run 'TestCorpusScale$$' -v -count=1 -timeout 2h ./cmd/benchproof
	cd cmd/benchproof-sql && CGO_ENABLED=1 BENCHPROOF_CORPUS_SET=$(CORPUSDIR)/set-$(CORPUSFILES) $(GO) test -run 'TestPeer$$' -v -count=1 .

lint: ## vet, gofumpt, staticcheck, go mod tidy: all without a word
	$(GO) vet ./...
	@out=$$($(GO) run $(GOFUMPT) -l .) && if [ -n "$$out" ]; then echo "gofumpt would change:"; echo "$$out"; exit 1; fi
	$(GO) run $(STATICCHECK) ./...
	$(GO) mod tidy -diff

vuln: ## look for known faults in the modules used, by a local copy of the database
	scripts/vuln

cover: ## measure what the tests run; the page is cover.html
	$(GO) test -coverprofile=cover.out $(TESTFLAGS) $(PKG)
	$(GO) tool cover -html=cover.out -o cover.html
	$(GO) tool cover -func=cover.out | tail -n 1

samples: command ## show a bundled result and write out/samples.xlsx of all of them
	@mkdir -p $(OUT)
	$(BIN)/benchproof convert samples/*.txt -o $(OUT)/samples.xlsx --force
	$(BIN)/benchproof show samples/ssd-vs-zfs-hdds.flat.txt --test SQLite
	@echo "wrote $(OUT)/samples.xlsx"

dist: ## make static binaries of all systems in dist/, with SHA256SUMS, and try them
	scripts/dist '$(VERSION)'
	scripts/dist-check dist

clean: ## remove what the other targets made
	rm -rf $(BIN) $(OUT) dist cover.out cover.html

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
