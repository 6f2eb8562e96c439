package house

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A rule lists what the packages under From must not depend on, even transitively.
type rule struct {
	name   string
	from   []string // folders the rule applies to
	except []string // exceptions among them
	never  []string // folders of the module they must not depend on
	unless []string // exceptions among those
	exact  bool     // the rule applies to the packages in from, and not to packages below them
}

// proving are the folders that execute, fill, transform and prove.
var proving = []string{"prover/machine", "prover/fill", "prover/run", "prover/backend", "prover/setup", "prover/prove",
	"prover/ntt", "prover/shard", "prover/cluster", "cuda"}

// machines are the folders of the machines. Package machine itself describes how tables are filled.
var machines = []string{"prover/machine/all", "prover/machine/fib", "prover/machine/keccak",
	"prover/machine/riscv", "prover/machine/tour"}

var rules = []rule{
	{name: "harness and prover share only JSON, because revisions differ",
		from: []string{"harness", "stats", "reporters", "workflows"}, never: []string{"prover", "cuda"}},
	{name: "cuda does not import the prover", from: []string{"cuda"}, never: []string{"prover"}},
	{name: "only the GPU backend imports cuda", from: []string{"prover"},
		except: []string{"prover/backend/gpu", "prover/cmd"}, never: []string{"cuda"}},
	{name: "code generators need no device", never: []string{"cuda"},
		from: []string{"prover/backend/gpu/internal/generate", "internal/header"}},
	{name: "cmd/prover alone chooses the backend", from: []string{"prover"},
		except: []string{"prover/cmd", "prover/backend/cpu", "prover/backend/gpu"},
		never:  []string{"prover/backend/cpu", "prover/backend/gpu"}},
	{name: "the prover does not import the harness", from: []string{"prover", "cuda"},
		never: []string{"harness", "stats", "reporters", "workflows"}},
	{name: "soundness imports no other package of the prover", from: []string{"prover/protocol/soundness"},
		never: []string{"prover", "cuda"}, unless: []string{"prover/protocol/soundness"}},
	{name: "the second verifier shares nothing with the first", from: []string{"prover/verify/independent"},
		never: []string{"prover", "cuda"}, unless: []string{"prover/verify/independent"}},
	{name: "the second verifier is for tests", from: []string{"prover"}, except: []string{"prover/verify/independent"},
		never: []string{"prover/verify/independent"}},
	{name: "only tests read whether pins are on",
		from:   []string{"prover", "cuda", "harness", "stats", "reporters", "workflows"},
		except: []string{"cuda/kernels/kerneltest"}, never: []string{"internal/pin"}},
	{name: "only tests import GitHub's API description", from: []string{"harness", "workflows", "reporters"},
		except: []string{"workflows/internal/githubtest"}, never: []string{"workflows/internal/githubtest"}},
	{name: "plans do not run or report anything", from: []string{"harness/plan"},
		never: []string{"harness/session", "harness/isolate", "harness/evidence", "harness/record", "harness/report",
			"harness/measure", "reporters"}},
	{name: "reports are computed from records, without measuring", from: []string{"harness/report"},
		never: []string{"harness/session", "harness/isolate", "harness/measure", "reporters"}},
	{name: "evidence and records do not import reports",
		from:  []string{"harness/evidence", "harness/record", "harness/baseline"},
		never: []string{"harness/session", "harness/report", "harness/measure"}},
	{name: "reporters do not measure", from: []string{"reporters"},
		never: []string{"harness/session", "harness/build", "harness/isolate", "harness/measure"}},
	{name: "measure imports no CLI and no reporters", from: []string{"harness/measure"},
		never: []string{"harness/cli", "reporters"}},
	{name: "circuits import nothing that runs, fills or proves",
		from: []string{"prover/circuit"},
		never: []string{"prover/machine", "prover/fill", "prover/run", "prover/backend", "prover/setup", "prover/protocol",
			"prover/prove", "prover/verify", "prover/ntt", "prover/shard", "prover/cluster", "internal/header", "cuda"}},
	{name: "fillers import no protocol and no backend", from: []string{"prover/fill"},
		never: []string{"prover/backend", "prover/setup", "prover/protocol", "prover/prove", "prover/verify", "prover/ntt",
			"prover/shard", "prover/cluster", "cuda"}},
	{name: "host fillers import no device fillers and no emulator",
		from:  []string{"prover/fill/host"},
		never: []string{"prover/fill/device", "prover/machine/riscv/emulator", "prover/machine/riscv/replay"}},
	{name: "device fillers import no host fillers", from: []string{"prover/fill/device"},
		never: []string{"prover/fill/host"}},
	{name: "emulator and recorder import no fillers", never: []string{"prover/fill"},
		from: []string{"prover/machine/riscv/emulator", "prover/machine/riscv/replay", "prover/machine/riscv/record",
			"prover/machine/riscv/program", "prover/machine/riscv/instances", "prover/machine/riscv/profile"}},
	{name: "run imports no machine and no prover", from: []string{"prover/run"},
		never: slices.Concat(machines, []string{"prover/backend", "prover/protocol", "prover/setup", "prover/prove",
			"prover/verify", "prover/ntt", "prover/shard", "prover/cluster", "cuda"})},
	{name: "prove, setup and backend do not import run",
		from:   []string{"prover/prove", "prover/setup", "prover/backend"},
		except: []string{"prover/backend/gpu/gpubench", "prover/backend/gpu/command"}, never: []string{"prover/run"}},
	{name: "the verifier's command links no emulator, filler, transform or prover",
		from: []string{"prover/cmd/verifier"}, never: proving},
	{name: "package prover links no machine or backend",
		from: []string{"prover"}, exact: true, never: []string{"prover/machine/riscv", "prover/machine/all",
			"prover/machine/fib", "prover/machine/keccak", "prover/fill", "prover/backend/cpu", "prover/backend/gpu",
			"cuda"}},
	{name: "the verifier's command unpacks rv64im and does not link its declarations",
		from: []string{"prover/verify/known", "prover/cmd/verifier"}, never: []string{"prover/circuit/rv64im"},
		unless: []string{"prover/circuit/rv64im/statement", "prover/circuit/rv64im/memorymap"}},
	{name: "only tests pack machines", from: []string{"prover"}, except: []string{"prover/circuit/packed/packing"},
		never: []string{"prover/circuit/packed/packing"}},
	{name: "verify and protocol import no prover, emulator or transform",
		from: []string{"prover/verify", "prover/protocol"}, never: proving},
	{name: "field, hash and transform do not import the protocol",
		from: []string{"prover/goldilocks", "prover/ntt", "prover/keccak", "prover/merkle", "prover/parallel"},
		never: []string{"prover/protocol", "prover/prove", "prover/verify", "prover/fri", "prover/air", "prover/machine",
			"prover/internal/tape", "prover/backend", "prover/transcript"}},
}

func TestImportRules(t *testing.T) {
	for _, p := range packages(t) {
		for _, violation := range violations(p, rules) {
			t.Error(violation)
		}
	}
}

func violations(p pkg, rules []rule) []string {
	var found []string
	for _, r := range rules {
		if !under(p.short(), r.from...) || under(p.short(), r.except...) || r.exact && !slices.Contains(r.from, p.short()) {
			continue
		}
		for _, dependency := range p.Deps {
			if !strings.HasPrefix(dependency, module+"/") {
				continue
			}
			if d := short(dependency); under(d, r.never...) && !under(d, r.unless...) {
				found = append(found, p.short()+" depends on "+d+": "+r.name)
			}
		}
	}
	return found
}

func TestImportRulesCatch(t *testing.T) {
	for _, tc := range []struct{ from, to string }{
		{"harness/cli", "prover/goldilocks"},
		{"stats", "cuda"},
		{"reporters/html", "prover"},
		{"workflows", "cuda/driver"},
		{"cuda/compile", "prover/keccak"},
		{"prover/prove", "cuda"},
		{"prover/backend/gpu/internal/generate", "cuda/kernels"},
		{"internal/header", "cuda"},
		{"prover/prove", "prover/backend/cpu"},
		{"prover/verify", "prover/backend"},
		{"prover", "prover/machine/all"},
		{"prover", "prover/fill/host/fib"},
		{"prover/verify", "prover/machine/riscv/emulator"},
		{"prover/verify", "prover/ntt"},
		{"prover/verify", "prover/prove"},
		{"prover/protocol", "prover/setup"},
		{"prover/cmd/verifier", "prover/machine/riscv/emulator/internal/native"},
		{"prover/cmd/verifier", "prover/fill/host/keccak"},
		{"prover/verify/known", "prover/ntt"},
		{"prover/verify/known", "prover/machine"},
		{"prover/verify/known", "prover/circuit/rv64im"},
		{"prover/cmd/verifier", "prover/circuit/rv64im/accelerator/all"},
		{"prover/verify/known", "prover/circuit/packed/packing"},
		{"prover/cli", "prover/backend/gpu"},
		{"prover/backend", "prover/backend/cpu"},
		{"prover/protocol/soundness", "prover/goldilocks"},
		{"prover/keccak", "prover/air"},
		{"prover/verify/independent", "prover/goldilocks"},
		{"prover/prove", "prover/verify/independent"},
		{"cuda", "stats"},
		{"prover/machine/riscv", "internal/pin"},
		{"prover/circuit", "prover/machine/riscv/emulator"},
		{"prover/circuit/rv64im", "prover/machine"},
		{"prover/circuit/rv64im", "prover/machine/riscv/program"},
		{"prover/circuit/rv64im/accelerator/sha256", "prover/fill/host/rv64im/accelerator"},
		{"prover/circuit/keccak", "prover/fill/device/keccak"},
		{"prover/circuit/fib", "prover/run"},
		{"prover/circuit/fib", "prover/backend"},
		{"prover/circuit/rv64im/statement", "prover/protocol"},
		{"prover/circuit/rv64im/accelerator/modmul", "internal/header"},
		{"prover/circuit", "cuda/kernels"},
		{"prover/fill/host/rv64im", "prover/backend"},
		{"prover/fill/device/rv64im", "prover/protocol"},
		{"prover/fill/device/keccak", "cuda"},
		{"prover/fill/host/keccak", "prover/fill/device/keccak"},
		{"prover/fill/host/rv64im", "prover/machine/riscv/emulator"},
		{"prover/fill/device/fib", "prover/fill/host/fib"},
		{"prover/machine/riscv/emulator", "prover/fill/host/rv64im"},
		{"prover/machine/riscv/replay", "prover/fill/device/rv64im/accelerator"},
		{"prover/run", "prover/machine/fib"},
		{"prover/run", "prover/machine/riscv/emulator"},
		{"prover/run", "prover/prove"},
		{"prover/run", "prover/backend"},
		{"prover/prove", "prover/run"},
		{"prover/backend/cpu", "prover/run"},
		{"prover/verify", "prover/run"},
		{"harness/cli", "workflows/internal/githubtest"},
		{"harness/plan", "harness/session"},
		{"harness/plan", "harness/record"},
		{"harness/report", "harness/session"},
		{"harness/report", "harness/measure"},
		{"harness/record", "harness/report"},
		{"harness/baseline", "harness/measure"},
		{"harness/measure", "reporters/html"},
		{"reporters/document", "harness/measure"},
	} {
		p := pkg{ImportPath: module + "/" + tc.from, Deps: []string{"fmt", module + "/" + tc.to}}
		if len(violations(p, rules)) == 0 {
			t.Errorf("no rule forbids %s to depend on %s", tc.from, tc.to)
		}
	}
	for _, tc := range []struct{ from, to string }{
		{"prover/cmd/prover", "prover/backend/gpu"},
		{"prover/backend/gpu", "cuda"},
		{"prover/prove", "prover/backend"},
		{"prover/fill/host/rv64im", "prover/machine/riscv/record"},
		{"prover/machine/riscv", "prover/fill/device/rv64im"},
		{"harness", "stats"},
		{"harness/measure", "harness/session"},
		{"harness/report", "harness/record"},
	} {
		p := pkg{ImportPath: module + "/" + tc.from, Deps: []string{module + "/" + tc.to}}
		if found := violations(p, rules); len(found) > 0 {
			t.Errorf("%v", found)
		}
	}
}

// owners lists the only packages that may import a package directly.
var owners = []struct {
	imports string
	folders []string
	files   []string // and these single files elsewhere
}{
	{"github.com/google/go-github", []string{"workflows"}, nil},
	{"github.com/olekukonko/tablewriter", []string{"reporters"}, nil},
	{"github.com/ebitengine/purego", []string{"cuda", "harness/environment/nvml"}, nil},
	{"github.com/nats-io/nats-server", []string{"internal/bus/server"}, nil},
	{"github.com/nats-io/nkeys", []string{"internal/bus", "internal/bus/server"}, nil},
	{"github.com/nats-io/nats.go", []string{"internal/bus", "prover/cluster", "harness/fleet"}, nil},
	{"github.com/google/pprof", []string{"prover/machine/riscv/profile", "harness/sampling"}, nil},
	{"github.com/mmcloughlin/avo", nil, nil}, // generators only, which are not built with their package
	{"github.com/getkin/kin-openapi", []string{"workflows/internal/githubtest"}, nil},
	{"unsafe", []string{"cuda", "harness/environment/nvml"}, byteCasts},
}

// byteCasts are the files outside cuda that view words as bytes or structs as words, and the file that executes
// generated code.
var byteCasts = []string{"prover/backend/cpu/pages_linux.go", "prover/fill/device/rv64im/words.go",
	"prover/fill/host/rows/rows.go", "prover/machine/riscv/emulator/internal/native/code_linux_amd64.go",
	"prover/machine/riscv/memory/flat_linux_amd64.go", "prover/machine/riscv/record/room_linux.go"}

func TestStatsImportsGonumAndTheStandardLibraryOnly(t *testing.T) {
	seen := false
	for _, p := range packages(t) {
		if !under(p.short(), "stats") {
			continue
		}
		seen = true
		for _, dependency := range p.Deps {
			first, _, _ := strings.Cut(dependency, "/")
			standard := !strings.Contains(first, ".")
			if !standard && !strings.HasPrefix(dependency, "gonum.org/v1/gonum/") && !under(short(dependency), "stats") {
				t.Errorf("%s depends on %s: stats takes gonum and the standard library only", p.short(), dependency)
			}
		}
	}
	if !seen {
		t.Error("no stats package was found")
	}
}

// Kernel sources belong to the folders that fill devices: a declaration and a host's filler contain no device code.
func TestNoKernelsAmongDeclarations(t *testing.T) {
	for _, folder := range []string{"prover/circuit", "prover/fill/host"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, entry fs.DirEntry, err error) error {
			if ext := filepath.Ext(path); ext == ".cu" || ext == ".cuh" {
				t.Errorf("%s: kernels belong in prover/fill/device", path)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

func TestLibrariesStayWithTheirOwners(t *testing.T) {
	for _, file := range goFiles(t) {
		if file.test() || file.generator() {
			continue
		}
		for _, imported := range file.imports() {
			if imported == "C" {
				t.Errorf(`%s: import "C": everything builds without cgo`, file.path)
			}
			for _, owner := range owners {
				if !under(imported, owner.imports) || under(file.path, owner.folders...) ||
					slices.Contains(owner.files, file.path) {
					continue
				}
				t.Errorf("%s imports %s: it belongs to %v %v", file.path, imported, owner.folders, owner.files)
			}
		}
	}
}
