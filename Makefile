# Chiasmus. `make` alone lists the targets.
SHELL := /bin/sh
GO ?= go
export CGO_ENABLED ?= 0

# The revisions that `make compare` measures. A repository of one commit is compared with itself.
RANGE ?= $(shell git rev-parse -q --verify HEAD~1 >/dev/null 2>&1 && echo HEAD~1..HEAD || echo HEAD..HEAD)
FUZZTIME ?= 3s
# The packages that share memory between goroutines, the slowest first.
CONCURRENT ?= ./prover/backend/gpu ./prover/cluster ./prover/parallel ./prover/merkle ./prover/backend/cpu ./prover/backend/gpu/command ./prover/backend/gpu/gpubench \
	./cuda ./cuda/compile ./harness/session ./harness/journal ./harness/build ./harness/environment ./harness/fleet ./internal/bus/... ./prover/shard
# Slow tests that tell the race detector nothing new: they share no memory, or another test or machine shares the same.
RACE_SKIP ?= ^TestKernels(DoNotDependOnPrograms|Refuses)$$|^TestStageWorkAgainstSlowCounts$$|^TestUnitsOfTables$$|^TestTrace(IsTheHosts|InParts|BehindAnother)$$/keccak|^TestStepsOnRandomColumns$$|^TestZeroDenominatorAnywhere$$|^TestPeak$$|^TestConformance$$/^tour$$/^(prepared|prepared_for_another|for_one_proof)$$|^TestDocumentedLayouts$$

.DEFAULT_GOAL := help
.PHONY: help build test test-long test-all test-cpu race fuzz lint mutate guests aggregator guests-check guests-test guests-rust guests-block guests-block-check compare offline-bundle gpu-build gpu-test gpu-bench bench clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-18s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## build bin/prover, bin/harness and its fleet's server (no cgo, no C compiler)
	$(GO) build -trimpath -o bin/ ./prover/cmd/prover ./harness/cmd/harness ./harness/cmd/harness-fleet-server

# What runs tests in test, test-all, test-cpu and race. CI sets .ci/gotest, which runs a failed test once more.
GOTEST ?= $(GO) test

# Flags of GOTEST. make lint vets all packages, with more rules than go test. Linking without debug information takes half
# the time.
TESTFLAGS ?= -vet=off -ldflags=-w

# Tests of these packages start first: some mostly wait for programs, so that other tests use the processors meanwhile, and
# the last one takes so long that it would run alone at the end.
FIRST = ./harness/measure ./harness/cli ./workflows ./prover/backend/gpu

# Packages tested at a time: more than processors, because some tests wait.
AT_ONCE ?= $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) + 2)))

# Compilers that make runs at a time.
JOBS ?= $(shell getconf _NPROCESSORS_ONLN)

# A package under heavy load may need more than go test's ten minutes.
TEST_TIMEOUT ?= 30m

test: ## run the tests except the long ones (four to four and a half minutes on two idle cores)
	$(GOTEST) $(TESTFLAGS) -timeout $(TEST_TIMEOUT) -p $(AT_ONCE) $(FIRST) ./...

test-long: ## run the long tests, which make test skips: each takes several seconds
	@GO="$(GO)" sh .ci/long-tests $(TESTFLAGS) -timeout $(TEST_TIMEOUT) -p $(AT_ONCE)

# The packages that choose kernels by the processor, and the packages whose tests make whole proofs with them. prover/cli is
# excluded because its tests set the level by a flag.
BY_LEVEL = $(shell $(GO) list -f '{{if .TestGoFiles}}{{.ImportPath}} {{join .Imports " "}}{{end}}' ./prover/... | awk '/prover\/internal\/cpufeature/ && !/^[^ ]*prover\/cli / {print $$1}') \
	./prover/fri ./prover/merkle ./prover/backend/cpu ./prover/prove
CPU_LEVELS ?= generic avx2

test-all: ## run the tests, long ones included, as CI does
	@GO=true sh .ci/long-tests # checks the list of long tests
	CHIASMUS_LONG_TESTS=1 $(GOTEST) $(TESTFLAGS) -timeout $(TEST_TIMEOUT) -p $(AT_ONCE) $(FIRST) ./...

test-cpu: ## run the tests that depend on CPU kernels with each of CPU_LEVELS (make test uses the best)
	@echo "$(BY_LEVEL)" | grep -q cpufeature || { echo "make test-cpu: no package imports cpufeature: has it moved?" >&2; exit 1; }
	@for level in $(CPU_LEVELS); do echo "kernels: $$level"; \
	$(GOTEST) $(TESTFLAGS) -short -timeout $(TEST_TIMEOUT) -ldflags '-w -X github.com/chiasmus/chiasmus/prover/internal/cpufeature.initial='$$level $(BY_LEVEL) || exit 1; \
	$(GOTEST) $(TESTFLAGS) -short -timeout $(TEST_TIMEOUT) -run Proof -ldflags '-w -X github.com/chiasmus/chiasmus/prover/internal/cpufeature.initial='$$level ./prover/verify/independent || exit 1; done

race: ## run the concurrent packages under the race detector (needs a C compiler)
	@if command -v cc >/dev/null; then CGO_ENABLED=1 $(GOTEST) $(TESTFLAGS) -race -short -skip '$(RACE_SKIP)' -timeout $(TEST_TIMEOUT) $(CONCURRENT); \
	elif [ "$$CI" = true ]; then echo "make race: no C compiler: install gcc" >&2; exit 1; \
	else echo "make race: skipped, the race detector needs a C compiler (install gcc)"; fi

fuzz: ## fuzz every decoder for FUZZTIME each
	@GO="$(GO)" FUZZTIME=$(FUZZTIME) sh .ci/fuzz

mutate: ## plant the bugs of every mutations.txt (or of paths that contain MUTATIONS) and report the survivors; hours
	$(GO) run ./internal/mutate/mutate $(MUTATIONS)

# The analyzers hold gigabytes for a minute. Half the collections save a fifth of their time.
lint: export GOGC = 200
lint: ## gofmt, go vet (amd64, arm64, and the harness on macOS), staticcheck
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$unformatted" ]; then echo "gofmt these files:"; echo "$$unformatted"; exit 1; fi
	$(GO) run ./internal/crossvet linux/amd64 ./...
	$(GO) run ./internal/crossvet -declarations linux/arm64 ./...
	$(GO) run ./internal/crossvet -declarations darwin/arm64 ./harness/... ./stats/... ./reporters/... ./workflows/...
	$(GO) tool staticcheck ./...

guests: ## build the RISC-V guests into guests/elf (needs Debian's cross compiler: docs/guide/guests.md)
	@$(MAKE) --no-print-directory -C guests digests

aggregator: ## after a change to rv64im's tables: write the verifier's machines, build the guests, pin the aggregator's ID
	$(GO) test ./guests/verifier/generate -run TestMachines -update
	@$(MAKE) --no-print-directory guests
	$(GO) test ./prover/aggregate -run TestID -update

guests-check: ## rebuild the guests and compare them with guests/elf
	@$(MAKE) --no-print-directory -j $(JOBS) -C guests check

guests-test: build ## test the C kit with bin/prover, and compare third-party programs (Lua, SQLite, ...) with native builds
	@$(MAKE) --no-print-directory -C guests test
	@$(MAKE) --no-print-directory -j $(JOBS) -C guests/others check

guests-rust: build ## build guests in Rust with bin/prover, run them, and check their outputs and exit codes
	@guests/rust/run

guests-block: build ## build the guests with revm that the repository contains, block.elf and evm.elf (minutes; docs/guide/block.md)
	@guests/block/build

guests-block-check: build ## rebuild these guests in other folders, compare all bytes, and test the block's crate natively (minutes)
	@guests/block/build check

compare: build ## measure RANGE (default HEAD~1..HEAD) with the default workload, and print the verdict
	bin/harness compare $(RANGE)

gpu-build: ## build bin/gpu (binaries, kernels for ARCH) for a host with an NVIDIA GPU and no Go
	@GO="$(GO)" sh .ci/gpu-build

gpu-test: ## on a host with an NVIDIA GPU: test kernels and whole proofs against the CPU, run compute-sanitizer (from bin/gpu)
	@[ -x bin/gpu/prover ] || GO="$(GO)" sh .ci/gpu-build
	@sh .ci/gpu-test $(OUT)

gpu-bench: ## on a host with an NVIDIA GPU: measure limits, kernels, stages and proofs into bench.json (BENCHFLAGS: flags)
	@[ -x bin/gpu/gpubench ] || GO="$(GO)" sh .ci/gpu-build
	@sh .ci/gpu-bench $(BENCHFLAGS)

bench: ## run the Go benchmarks of the prover
	$(GO) test -run '^$$' -bench . -benchmem ./prover/...

BUNDLE ?= bin/chiasmus-bundle.tar.zst
offline-bundle: ## pack RANGE into BUNDLE, for a GPU host with zstd but no Go, git or network
	$(GO) build -trimpath -ldflags '-s -w' -o bin/bundle/ ./prover/cmd/prover ./harness/cmd/harness
	bin/bundle/harness bundle $(RANGE) --package ./prover/cmd/prover --program bin/bundle/prover --out $(BUNDLE)

clean: ## remove bin (to remove runs and caches: harness gc)
	rm -rf bin
