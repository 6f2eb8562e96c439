package verifiertest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/internal/longtest"
	"github.com/chiasmus/chiasmus/prover/aggregate"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// cheat is a changed proof and the verdict that must name the check. Without that check, the verdict differs.
type cheat struct {
	name, verdict string
	of            string // a vector
	change        func(p *protocol.Proof)
}

// cheats change one part each.
var cheats = []cheat{
	{"another key", "VERIFIER_MACHINE", "fib-3", func(p *protocol.Proof) { p.MachineDigest[5] ^= 1 }},
	{"another entry", "VERIFIER_PROGRAM", "rv64im-3", func(p *protocol.Proof) { p.Program.Entry += 4 }},
	{"another image", "VERIFIER_PROGRAM", "rv64im-3", func(p *protocol.Proof) { p.Program.Image[0] ^= 1 }},
	{"another node of the program's cap", "VERIFIER_PROGRAM", "rv64im-3",
		func(p *protocol.Proof) { p.Program.Cap[0][0] ^= 1 }},
	{"another height of the program", "VERIFIER_PROGRAM", "rv64im-3",
		func(p *protocol.Proof) { p.Program.LogHeights[0]++ }},
	{"the program's cap by its parents", "VERIFIER_PROGRAM", "rv64im-3",
		func(p *protocol.Proof) { p.Program.Cap = p.Program.Cap[:1] }},
	{"an exit code of more bits", "VERIFIER_PUBLIC", "rv64im-3", func(p *protocol.Proof) { p.Public.Values[0] = 1 << 32 }},
	{"no cycles", "VERIFIER_PUBLIC", "rv64im-3", func(p *protocol.Proof) { p.Public.Values[2] = 0 }},
	{"more misaligned accesses than cycles", "VERIFIER_PUBLIC", "rv64im-3",
		func(p *protocol.Proof) { p.Public.Values[3] = p.Public.Values[2] + 1 }},
	{"another exit code", "VERIFIER_SUMS", "rv64im-3", func(p *protocol.Proof) { p.Public.Values[0] ^= 1 }},
	{"another output", "VERIFIER_SUMS", "rv64im-3", func(p *protocol.Proof) { p.Public.Data[20] ^= 1 }},
	{"a time beyond the run", "VERIFIER_PUBLIC", "rv64im-3",
		func(p *protocol.Proof) { p.Public.Data[len(p.Public.Data)-1] = 0x80 }},
	{"a claimed sum for another", "VERIFIER_SUMS", "tour-3",
		func(p *protocol.Proof) { p.Claimed[0] = p.Claimed[0].Add(goldilocks.Extension{1}) }},
	{"claimed sums that cancel", "VERIFIER_QUOTIENT", "tour-3", func(p *protocol.Proof) {
		p.Claimed[0], p.Claimed[1] = p.Claimed[0].Add(goldilocks.Extension{1}), p.Claimed[1].Sub(goldilocks.Extension{1})
	}},
	{"a table left out", "VERIFIER_INSTANCES", "rv64im-3",
		func(p *protocol.Proof) { p.Instances = p.Instances[:len(p.Instances)-1] }},
	{"tables out of order", "VERIFIER_INSTANCES", "tour-3",
		func(p *protocol.Proof) { p.Instances[0], p.Instances[1] = p.Instances[1], p.Instances[0] }},
	{"a table too small", "VERIFIER_INSTANCES", "rv64im-3", func(p *protocol.Proof) { p.Instances[0].LogHeight = 7 }},
	{"an instance of no table", "VERIFIER_INSTANCES", "fib-3", func(p *protocol.Proof) {
		p.Instances = append(p.Instances, circuit.Instance{Table: 1, LogHeight: p.Instances[0].LogHeight})
	}},
	{"shards: another claimed sum", "VERIFIER_SUMS", "tour-shards-3",
		func(p *protocol.Proof) { p.Claimed[0][0]++ }},
	{"shards: another cell", "VERIFIER_OPENING", "tour-shards-3",
		func(p *protocol.Proof) { p.Trees[protocol.Main].Rows[0].Cells[0] ^= 1 }},
	{"an opened value too many", "VERIFIER_SHAPE", "fib-3", func(p *protocol.Proof) {
		opened := &p.Openings[protocol.Main][0]
		opened.Current = append(opened.Current, opened.Current[0])
	}},
	{"a coefficient too many", "VERIFIER_SHAPE", "fib-3",
		func(p *protocol.Proof) { p.Final = append(p.Final, goldilocks.Extension{}) }},
	{"another opened value", "VERIFIER_QUOTIENT", "fib-3",
		func(p *protocol.Proof) { p.Openings[protocol.Main][0].Next[1][2] ^= 1 }},
	{"another coefficient", "VERIFIER_NONCE", "fib-3", func(p *protocol.Proof) { p.Final[0][0] ^= 1 }},
	{"another nonce", "VERIFIER_NONCE", "tour-3", func(p *protocol.Proof) { p.Nonce++ }},
	{"another cell", "VERIFIER_OPENING", "tour-3",
		func(p *protocol.Proof) { p.Trees[protocol.Main].Rows[0].Cells[0] ^= 1 }},
	{"another cell of the last opened row", "VERIFIER_OPENING", "rv64im-3", func(p *protocol.Proof) {
		rows := p.Trees[protocol.Auxiliary].Rows
		cells := rows[len(rows)-1].Cells
		cells[len(cells)-1] ^= 1
	}},
	{"another sibling", "VERIFIER_OPENING", "tour-3",
		func(p *protocol.Proof) { p.Trees[protocol.Quotient].Siblings[0][31] ^= 1 }},
	{"a sibling too many", "VERIFIER_OPENING", "tour-3", func(p *protocol.Proof) {
		tree := &p.Trees[protocol.Program]
		tree.Siblings = append(tree.Siblings, tree.Siblings[0])
	}},
	{"another entry of a layer", "VERIFIER_LAYER", "tour-3",
		func(p *protocol.Proof) { p.Layers[0].Rows[0].Cells[0] ^= 1 }},
}

// notCounted is a run of rv64im in shards. Another claimed sum of an instance that counts only in the last shard must
// have this verdict.
func notCounted(t testing.TB) (s *subject, file []byte, verdict string) {
	s = runInShards(t)
	var set protocol.Set
	must(t, set.UnmarshalBinary(s.file))
	k := 0
	for _, instance := range set.Shards[0].Instances {
		table := s.key.Machine.Tables[instance.Table]
		if circuit.CountsOnce(table) {
			set.Shards[0].Claimed[k][0]++
			break
		}
		if len(table.Interactions) > 0 {
			k++
		}
	}
	file, err := set.MarshalBinary()
	must(t, err)
	return s, file, "VERIFIER_QUOTIENT"
}

// Each cheat is refused by its own check.
func TestCheats(t *testing.T) {
	native := start(t)
	for _, c := range cheats {
		s := cached(t, c.of)
		file := cheated(t, c)
		if s.accepted(file) == nil {
			t.Errorf("%s of %s: package verify accepts it", c.name, c.of)
		}
		if have := native.verify(t, file, s.id(), true); have != c.verdict {
			t.Errorf("%s of %s: %s, want %s", c.name, c.of, have, c.verdict)
		}
	}
}

// cheated is the changed proof, or the set whose first shard is changed.
func cheated(t testing.TB, c cheat) []byte {
	if file := cached(t, c.of).file; protocol.InShards(file) {
		var set protocol.Set
		must(t, set.UnmarshalBinary(file))
		c.change(set.Shards[0])
		file, err := set.MarshalBinary()
		must(t, err)
		return file
	}
	var proof protocol.Proof
	must(t, proof.UnmarshalBinary(cached(t, c.of).file))
	c.change(&proof)
	file, err := proof.MarshalBinary()
	must(t, err)
	return file
}

// vectors are the committed proofs that have been read.
var vectors = map[string]*subject{}

func allVectors(t testing.TB) (list []*subject) {
	for _, name := range vectorNames {
		list = append(list, cached(t, name))
	}
	return list
}

func cached(t testing.TB, name string) *subject {
	if vectors[name] == nil {
		vectors[name] = vector(t, name)
	}
	return vectors[name]
}

// Bugs planted in the C sources are detected: a committed proof is refused, or a cheat is not refused by its check.
// testdata/bugs.txt lists them, as mutations.txt does elsewhere: the file, the text, its replacement.
func TestPlantedBugs(t *testing.T) {
	longtest.Only(t)
	nativeVerifier(t)
	objects := compileObjects(t)
	text, err := os.ReadFile("testdata/bugs.txt")
	must(t, err)
	for n, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(line, "\t")
		if len(fields) != 3 {
			t.Fatalf("bugs.txt:%d: %d columns, want 3", n+1, len(fields))
		}
		if isRight(t, plant(t, objects, fields[0], fields[1], fields[2])) {
			t.Errorf("bugs.txt:%d: %s: %q for %q is not noticed", n+1, fields[0], fields[2], fields[1])
		}
	}
	if binary := plant(t, objects, "verify.c", "check_whole", "check_whole"); !isRight(t, binary) {
		t.Error("without a bug the verifier is taken for wrong")
	}
}

// compileObjects compiles the sources without sanitizers, and returns the objects by the sources' names.
func compileObjects(t *testing.T) map[string]string {
	objects, folder := map[string]string{}, t.TempDir()
	made := filepath.Dir(nativeVerifier(t))
	list := append(sources(t, notVerifier...), "../machines/fib.c", "../machines/rv64im.c",
		filepath.Join(made, "keccak.c"), filepath.Join(made, "tour.c"))
	for _, path := range list {
		name := filepath.Base(path)
		objects[name] = filepath.Join(folder, name+".o")
		gcc(t, "-c", path, "-o", objects[name])
	}
	return objects
}

func gcc(t *testing.T, args ...string) {
	t.Helper()
	args = append([]string{"-std=c11", "-O1", "-DVERIFIER_TESTED"}, args...)
	if out, err := exec.Command("gcc", args...).CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, out)
	}
}

// plant builds the verifier with one source changed.
func plant(t *testing.T, objects map[string]string, name, from, to string) string {
	source, err := os.ReadFile(filepath.Join("..", name))
	must(t, err)
	if from != to && bytes.Count(source, []byte(from)) != 1 {
		t.Fatalf("%s: %q is not there once", name, from)
	}
	changed, binary := filepath.Join(t.TempDir(), name), filepath.Join(t.TempDir(), "verifier")
	must(t, os.WriteFile(changed, bytes.Replace(source, []byte(from), []byte(to), 1), 0o644))
	args := []string{"-I..", changed, "-o", binary}
	for other, object := range objects {
		if other != name {
			args = append(args, object)
		}
	}
	gcc(t, args...)
	return binary
}

// isRight reports whether a verifier accepts the committed proofs and refuses all cheats by their checks.
func isRight(t *testing.T, binary string) bool {
	native := startAt(t, binary)
	native.mayCrash = true
	for _, s := range append([]*subject{shardsOf(t, 5), runInShards(t)}, allVectors(t)...) {
		if native.verify(t, s.file, s.id(), true) != accepted {
			return false
		}
	}
	for _, c := range cheats {
		if native.verify(t, cheated(t, c), cached(t, c.of).id(), true) != c.verdict {
			return false
		}
	}
	run := cached(t, "rv64im-3")
	if native.verifyWords(t, aggregate.InWords(run.file), run.id()) != accepted {
		return false
	}
	for _, c := range wordsCheats(t) {
		if native.verifyWords(t, c.words, run.id()) != c.verdict {
			return false
		}
	}
	s, file, verdict := notCounted(t)
	return native.verify(t, file, s.id(), true) == verdict
}
