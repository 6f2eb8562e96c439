package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/chiasmus/chiasmus/prover/aggregate"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// vector is the path of a committed proof, which has test parameters.
func vector(name string) string { return filepath.Join("..", "protocol", "testdata", name+".proof") }

// onCPU is the prover with the CPU as its only backend.
func onCPU(args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = Main(args, strings.NewReader(""), &out, &err, cpuAlone)
	return code, out.String(), err.String()
}

func TestAggregateRefuses(t *testing.T) {
	folder := t.TempDir()
	out := filepath.Join(folder, "out")
	for _, tc := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"aggregate"}, 2, "PROOF is missing"},
		{[]string{"aggregate", "p"}, 2, "--proof OUT is missing"},
		{[]string{"aggregate", filepath.Join(folder, "none"), "--proof", out}, 2, "no such file"},
		{[]string{"aggregate", "p", "--proof", out, "--on-device-error", "cpu"}, 2, "is for prove and session"},
		{[]string{"aggregate", "p", "--trace-out", out, "--proof", out}, 2, "are the same file"},
		{[]string{"aggregate", "p", "--trace-out", filepath.Join(folder, "none", "t"), "--proof", out}, 2, "--trace-out"},
		{[]string{"aggregate", out, "--proof", out}, 2, "are the same file"},
		{[]string{"aggregate", "p", "--metrics", out, "--proof", out}, 2, "are the same file"},
		{[]string{"aggregate", "p", "--metrics", filepath.Join(folder, "none", "m"), "--proof", out}, 2, "--metrics"},
		{[]string{"compress", "a", "b", "--proof", out}, 2, `unexpected argument "b"`},
		{[]string{"aggregate", vector("fib-3"), "--proof", out}, 1,
			`it belongs to machine "fib"; an aggregation takes proofs of programs`},
		{[]string{"aggregate", vector("rv64im-3"), "--proof", out}, 1, "security"},
		{[]string{"prove", "--elf", "p", "--aggregate", "--proof", out}, 2,
			"it goes with --shards, --shard-cycles or --memory"},
		{[]string{"aggregate", vector("fib-3"), "--credential", "x", "--proof", out}, 1, "an aggregation takes proofs of"},
		{[]string{"prove", "--machine", "fib", "--aggregate", "--shards", "2", "--cluster", "x", "--proof", out}, 2,
			"--aggregate is for programs"},
		{[]string{"verify", vector("fib-3"), "--of", "x"}, 2, "--of is for aggregated proofs"},
	} {
		code, _, stderr := onCPU(tc.args...)
		if code != tc.code || !strings.Contains(stderr, tc.want) {
			t.Errorf("%q: exit code %d, %s; want %d, %q", tc.args, code, stderr, tc.code, tc.want)
		}
	}
}

// flagsOf are the flags of an aggregation to a folder.
func flagsOf(p *program, folder, preset string) *aggregateRun {
	run := new(aggregateRun)
	run.addFlags(p, pflag.NewFlagSet("", pflag.ContinueOnError))
	run.keepPath, run.presets, run.quiet = filepath.Join(folder, "nodes"), []string{preset}, true
	return run
}

// cpuAlone are the backends of a binary with one.
var cpuAlone = []Backend{{Name: "cpu", Open: func(BackendOptions) (backend.Backend, error) {
	return cpu.New(parallel.New(1)), nil
}}}

// If the aggregator rejects a proof, the error contains the verdict, and nothing is proven. Weak parameters are
// rejected at once.
func TestNodesSayWhatIsRefused(t *testing.T) {
	var stderr bytes.Buffer
	p := &program{stderr: &stderr, backends: cpuAlone}
	_, err := p.openNodes(flagsOf(p, t.TempDir(), "100"))
	if err == nil || !strings.Contains(err.Error(), "proves 100 bits") {
		t.Errorf("parameters of 100 bits: %v", err)
	}
	n, err := p.openNodes(flagsOf(p, t.TempDir(), "rv"))
	if err != nil {
		t.Fatal(err)
	}
	defer n.lanes.shutdown()
	data, err := os.ReadFile(vector("rv64im-3"))
	if err != nil {
		t.Fatal(err)
	}
	weak := &aggregate.Child{Name: "weak", Proof: data}
	_, err = (&aggregate.Builder{Prover: n, ID: aggregate.ID()}).Reprove(t.Context(), weak)
	if want := "weak: the aggregator refuses it (verdict 14): security: fewer than 128"; err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
}

// Only valid proofs of the aggregator are reused from the kept nodes, and the empty folder is deleted.
func TestKeptNodes(t *testing.T) {
	k := &keptNodes{folder: filepath.Join(t.TempDir(), "nodes")}
	name := nodeName{1}
	if k.node(t.Context(), name) != nil {
		t.Error("a node is there before it was kept")
	}
	data, err := os.ReadFile(vector("rv64im-3"))
	if err != nil {
		t.Fatal(err)
	}
	for _, proof := range [][]byte{[]byte("no proof"), data} {
		if err := k.putNode(name, proof); err != nil {
			t.Fatal(err)
		}
		if k.node(t.Context(), name) != nil {
			t.Error("another program's proof, or none, is taken for a node")
		}
	}
	if err := k.remove(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(k.folder); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder is still there: %v", err)
	}
}

func sampleRuns() *aggregate.Tree {
	run := func(exit uint64) *aggregate.Tree {
		return &aggregate.Tree{Run: &aggregate.Statement{ProgramID: [32]byte{9}, Exit: exit, Cycles: 5,
			Output: []byte("out")}}
	}
	return &aggregate.Tree{Children: []*aggregate.Tree{run(0), run(3)}}
}

// The statements of a valid aggregated proof are compared with all expectations.
func TestExpectedRuns(t *testing.T) {
	two := sampleRuns()
	one := two.Children[0]
	id, other := [32]byte{9}, [32]byte{8}
	of := func(id [32]byte, e programExpectations) expectations {
		e.programID = &id
		return expectations{programExpectations: e}
	}
	exit3 := programExpectations{exit: 3}
	output, short := programExpectations{output: []byte("out")}, programExpectations{output: []byte("ou")}
	proof := vector("rv64im-3")
	for _, tc := range []struct {
		tree *aggregate.Tree
		want expectations
		says string // empty if it is as expected
	}{
		{one, of(id, programExpectations{}), ""},
		{one, of(other, programExpectations{}), "run 0: proof rejected: statement: the proof is about program 09"},
		{two, of(id, programExpectations{}), "run 1: proof rejected: statement: the proof is about exit code 3, want 0"},
		{one, of(id, exit3), "exit code 0, want 3"},
		{one, of(id, output), ""},
		{one, of(id, short), "about output"},
		{one, of(id, programExpectations{public: []byte("x")}), "about public input"},
		{two, of(id, output), "for one run, and the proof is about 2"},
		{one, expectations{wantStatement: true, statement: strings.Repeat("0", 64)}, "about statement"},
		{one, expectations{ofPaths: []string{proof}}, "run 0: proof rejected: statement: the proof is about statement"},
		{two, expectations{ofPaths: []string{proof}}, "about number of runs 2, want 1"},
		{one, expectations{ofPaths: []string{vector("fib-3")}}, "fib-3.proof: proof rejected: machine: it belongs to"},
	} {
		err := tc.want.expectedRuns(tc.tree)
		if (err == nil) != (tc.says == "") || err != nil && !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%v, want %q", err, tc.says)
		}
	}
	stated, err := aggregate.Stated(read(t, vector("rv64im-3")))
	if err != nil {
		t.Fatal(err)
	}
	want := expectations{ofPaths: []string{vector("rv64im-3")}}
	if err := want.expectedRuns(stated); err != nil {
		t.Errorf("a proof's own statement: %v", err)
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// An aggregated file is refused if it names no program or is not the aggregator's, and inspect shows its tree.
func TestAggregatedFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "agg")
	file := &aggregate.File{Tree: sampleRuns(), Proof: read(t, vector("rv64im-3"))}
	data, err := file.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := onCPU("verify", path); code != 2 || !strings.Contains(stderr, "name them with --elf") {
		t.Errorf("without a program: exit code %d, %s", code, stderr)
	}
	code, _, stderr := onCPU("verify", path, "--of", path)
	if code != 1 || !strings.Contains(stderr, "proof rejected: program") {
		t.Errorf("another program's proof: exit code %d, %s", code, stderr)
	}
	openedFile(t, path)
	code, stdout, stderr := onCPU("inspect", path)
	for _, want := range []string{"aggregated  2\n", "batch of 2: ",
		"  run 1: program 0900000000000000, exit 3, 5 cycles\n", `machine     "rv64im"`} {
		if code != 0 || !strings.Contains(stdout, want) {
			t.Errorf("inspect: exit code %d, %s, %s; want %q", code, stdout, stderr, want)
		}
	}
}

// An opening shows one run. Only an aggregated proof has openings.
func openedFile(t *testing.T, path string) {
	t.Helper()
	opening := filepath.Join(t.TempDir(), "opening")
	if code, _, stderr := onCPU("inspect", path, "--open", "1", "--opening", opening); code != 0 {
		t.Fatalf("exit code %d, %s", code, stderr)
	}
	code, stdout, stderr := onCPU("inspect", opening)
	for _, want := range []string{"aggregated  2\n", "batch of 2: ", "  hidden: ", "exit 3, 5 cycles\n"} {
		if code != 0 || !strings.Contains(stdout, want) || strings.Contains(stdout, "exit 0") {
			t.Errorf("inspect: exit code %d, %s, %s; want %q", code, stdout, stderr, want)
		}
	}
	for _, tc := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"verify", opening, "--of", path}, 1, "proof rejected: program"}, // the sample's proof is another's
		{[]string{"verify", opening, "--of", opening}, 1, "proof rejected: program"},
		{[]string{"aggregate", opening, "--proof", opening + ".out"}, 1, "proof rejected: program"},
		{[]string{"inspect", path, "--open", "1"}, 2, "--opening FILE"},
		{[]string{"inspect", path, "--opening", opening}, 2, "--open"},
		{[]string{"inspect", path, "--open", "2", "--opening", opening}, 2, "no run 2"},
		{[]string{"inspect", path, "--open", "1", "--opening", path}, 2, "are the same file"},
		{[]string{"inspect", vector("fib-3"), "--open", "1", "--opening", opening}, 2,
			"fib-3.proof is a single proof: --open takes an aggregated proof, which prover aggregate"},
		{[]string{"inspect", "../../guests/elf/fib.elf", "--open", "1", "--opening", opening}, 2, "fib.elf is an ELF file"},
		{[]string{"inspect", "aggregate_test.go", "--open", "1", "--opening", opening}, 2, "aggregate_test.go is no proof"},
		{[]string{"inspect", opening, "--open", "1", "--opening", opening + ".out"}, 2, "it is an opening"},
	} {
		code, _, stderr := onCPU(tc.args...)
		if code != tc.code || !strings.Contains(stderr, tc.want) {
			t.Errorf("%q: exit code %d, %s; want %d, %q", tc.args, code, stderr, tc.code, tc.want)
		}
	}
}
