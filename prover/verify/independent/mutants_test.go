package independent_test

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/chiasmus/chiasmus/internal/longtest"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/prove"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/setup"
	"github.com/chiasmus/chiasmus/prover/verify/independent"
)

var (
	mutants    = flag.Int("mutants", 4000, "how many changed proofs TestMutants tries")
	mutantSeed = flag.Uint64("mutants.seed", 1, "the seed that they are drawn from")
	mutantsOf  = flag.String("mutants.of", "", "the machine whose proofs alone are changed; empty for all")
	mutantHash = flag.String("mutants.hash", "", "keccak or blake3, whose proofs alone are changed; empty for both")
)

// TestMutants changes proofs at random, in their bytes and in their values: both verifiers refuse every one of them,
// and neither panics. For a release, 100,000 of each hash are tried:
//
//	CGO_ENABLED=0 go test -c -o mutants.test ./prover/verify/independent
//	./mutants.test -test.run 'TestMutants$' -test.v -mutants 100000 -mutants.hash blake3
func TestMutants(t *testing.T) {
	longtest.Only(t)
	groups, slow := mutantSubjects(t), largeSubjects(t)
	if *mutantHash != "" {
		hash, err := merkle.ParseHash(*mutantHash)
		must(t, err)
		isOther := func(group []*subject) bool { return group[0].key.Params.Hash != hash }
		groups, slow = slices.DeleteFunc(groups, isOther), slices.DeleteFunc(slices.Clone(slow), isOther)
	}
	if *mutantsOf != "" {
		isOther := func(group []*subject) bool { return group[0].key.Machine.Name != *mutantsOf }
		if groups = slices.DeleteFunc(slices.Concat(groups, slow), isOther); len(groups) == 0 {
			t.Fatalf("no mutants of machine %q", *mutantsOf)
		}
	}
	var next, decoded atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for !t.Failed() {
				n := next.Add(1)
				if n > int64(*mutants) {
					return
				}
				random := rand.New(rand.NewPCG(*mutantSeed, uint64(n)))
				group := groups[random.IntN(len(groups))]
				if n%250 == 0 && *mutantsOf == "" { // takes a hundred times as long
					group = slow[n/250%int64(len(slow))]
				}
				s := group[random.IntN(len(group))]
				if s.tryMutant(t, group, random, n) {
					decoded.Add(1)
				}
			}
		})
	}
	workers.Wait()
	t.Logf("%d mutants, %d of them well-formed files", *mutants, decoded.Load())
}

// tryMutant changes one proof. It reports whether the changed file decodes.
func (s *subject) tryMutant(t *testing.T, group []*subject, random *rand.Rand, n int64) (reads bool) {
	name := fmt.Sprintf("machine %s, mutant %d of seed %d", s.key.Machine.Name, n, *mutantSeed)
	defer func() {
		if problem := recover(); problem != nil {
			t.Errorf("%s: panic: %v", name, problem)
		}
	}()
	file := s.mutate(group, random)
	for slices.ContainsFunc(group, func(other *subject) bool { return bytes.Equal(other.file, file) }) {
		file = s.mutate(group, random)
	}
	if s.accepted(t, file, name) {
		t.Errorf("%s: accepted", name)
	}
	return new(protocol.Proof).UnmarshalBinary(file) == nil
}

// mutantSubjects are proofs in groups of one machine each.
func mutantSubjects(t *testing.T) (groups [][]*subject) {
	for _, hash := range hashes {
		params := testParamsOf(t, hash)
		fibs := []*subject{proofOf(t, "fib", "1 1 32", params), proofOf(t, "fib", "1 2 64", params),
			proofOf(t, "fib", "1 1 64", params)}
		tours := []*subject{proofOf(t, "tour", "40 1", params), proofOf(t, "tour", "40 2", params),
			proofOf(t, "tour", "130 3", params)}
		groups = append(groups, fibs, tours, tours)
	}
	return groups
}

// large caches the results of largeSubjects, which take a moment.
var large [][]*subject

// largeSubjects are proofs that take long to verify: of the machine keccak, and of a program with inputs and output.
func largeSubjects(t *testing.T) [][]*subject {
	if large == nil {
		for _, hash := range hashes {
			params := testParamsOf(t, hash)
			large = append(large, []*subject{proofOf(t, "keccak", "chiasmus", params),
				proofOf(t, "keccak", "antimetabole", params)})
			if !testing.Short() {
				large = append(large, runSubjects(t, params))
			}
		}
	}
	return large
}

// runSubjects are two runs of one program.
func runSubjects(t *testing.T, params protocol.Params) (runs []*subject) {
	p := riscvtest.Random(5, 200)
	p.CopyInputs()
	program, err := riscv.New(p.ELF(false))
	must(t, err)
	params.MinLogHeight = 8
	key, err := setup.NewKey(program.Machine(), params)
	must(t, err)
	prover, err := prove.NewProver(key, program.Fillers(), cpu.New(parallel.New(0)), backend.Budget{})
	must(t, err)
	defer prover.Close()
	for _, private := range []string{"a private input of 30 bytes...", "...another one of as many bytes"} {
		input := run.Input{
			Data:         []byte(private),
			Public:       []byte("public"),
			MinLogHeight: params.MinLogHeight,
			Pool:         parallel.New(0),
		}
		execution, err := run.Execute(t.Context(), program, input)
		must(t, err)
		proof, _, err := prover.Prove(t.Context(), execution, prove.Options{})
		must(t, err)
		runs = append(runs, newSubject(t, key, proof))
	}
	return runs
}

// mutate makes a changed file, with one or two changes of one kind or the other.
func (s *subject) mutate(group []*subject, random *rand.Rand) []byte {
	file := bytes.Clone(s.file)
	if random.IntN(2) == 0 {
		var proof protocol.Proof
		if proof.UnmarshalBinary(file) == nil {
			changes := s.changes(&proof, group, random)
			for range 1 + random.IntN(2) {
				changes[random.IntN(len(changes))]()
			}
			if changed, err := proof.MarshalBinary(); err == nil {
				return changed
			}
		}
	}
	for range 1 + random.IntN(2) {
		file = changeBytes(file, group[random.IntN(len(group))].file, random)
	}
	return file
}

// changeBytes changes bytes of a file without knowledge of its format.
func changeBytes(file, other []byte, random *rand.Rand) []byte {
	if len(file) < 64 || len(other) < 64 {
		return append(file, byte(random.Uint32()))
	}
	at := random.IntN(len(file))
	if random.IntN(3) == 0 {
		at = random.IntN(min(len(file), 400)) // where the counts are
	}
	length := min(1+random.IntN(1<<random.IntN(9)), len(file)-at)
	switch random.IntN(10) {
	case 0, 1, 2:
		file[at] ^= 1 << random.IntN(8)
	case 3:
		file[at] = byte(random.Uint32())
	case 4:
		if at+8 <= len(file) {
			words := []uint64{0, 1, goldilocks.Modulus - 1, goldilocks.Modulus, 1<<64 - 1, random.Uint64(),
				random.Uint64N(goldilocks.Modulus)}
			binary.LittleEndian.PutUint64(file[at:], words[random.IntN(len(words))])
		}
	case 5:
		if at+4 <= len(file) { // a count, perhaps
			count := binary.LittleEndian.Uint32(file[at:])
			binary.LittleEndian.PutUint32(file[at:], []uint32{count + 1, count - 1, 0, 1<<32 - 1, 2 * count}[random.IntN(5)])
		}
	case 6:
		return slices.Delete(file, at, at+length)
	case 7:
		return slices.Insert(file, at, bytes.Clone(file[at:at+length])...)
	case 8:
		to := random.IntN(len(file) - length + 1)
		copy(file[to:to+length], bytes.Clone(file[at:at+length]))
	default:
		if at+length <= len(other) {
			copy(file[at:], other[at:at+length])
		}
	}
	return file
}

// changes are the possible changes of a proof's values after which the file still decodes.
func (s *subject) changes(p *protocol.Proof, group []*subject, random *rand.Rand) []func() {
	other := group[random.IntN(len(group))].proof
	element := func() goldilocks.Element {
		return goldilocks.Element([]uint64{0, 1, goldilocks.Modulus - 1, random.Uint64N(goldilocks.Modulus)}[random.IntN(4)])
	}
	extension := func() goldilocks.Extension { return goldilocks.Extension{element(), element(), element()} }
	phase := random.IntN(len(p.Openings))
	changes := []func(){
		func() { pick(random, p.Public.Values, func(e *goldilocks.Element) { *e = element() }) },
		func() { p.Public = other.Public },
		func() { p.Salt = uint64(element()) },
		func() { p.Nonce = uint64(element()) },
		func() { p.Public.Data = append(slices.Clone(p.Public.Data), byte(random.Uint32())) },
		func() { pick(random, p.Public.Data, func(b *byte) { *b ^= 1 << random.IntN(8) }) },
		func() { pick(random, p.Instances, func(i *circuit.Instance) { i.LogHeight += 1 - 2*random.IntN(2) }) },
		func() { pick(random, p.Instances, func(i *circuit.Instance) { i.Table = random.IntN(8) }) },
		func() { p.Instances = leaveOut(random, p.Instances) },
		func() { p.Instances = twice(random, p.Instances) },
		func() { exchange(random, p.Instances) },
		func() { p.Instances = slices.Clone(other.Instances) },
		func() { p.Claimed = leaveOut(random, p.Claimed) },
		func() { p.Claimed = twice(random, p.Claimed) },
		func() { exchange(random, p.Claimed) },
		func() { // two that add up to what they did
			delta := extension()
			pick(random, p.Claimed, func(e *goldilocks.Extension) { *e = e.Add(delta) })
			pick(random, p.Claimed, func(e *goldilocks.Extension) { *e = e.Sub(delta) })
		},
		func() { pick(random, p.Final, func(e *goldilocks.Extension) { *e = extension() }) },
		func() { p.Nonce += random.Uint64N(1000) },
		func() { p.Openings[phase] = leaveOut(random, p.Openings[phase]) },
		func() { p.Openings[phase] = twice(random, p.Openings[phase]) },
		func() { exchange(random, p.Openings[phase]) },
		func() { p.LayerCaps = leaveOut(random, p.LayerCaps) },
		func() { exchange(random, p.Layers) },
		func() { p.Trees[phase] = other.Trees[phase] },
		func() { p.MainCap, p.Trees = other.MainCap, other.Trees },
		func() { p.Params.Queries, p.Params.GrindingBits = other.Params.Queries-random.IntN(2), random.IntN(9) },
		func() { p.MachineDigest[random.IntN(32)] ^= 1 },
		func() { p.Program = changeProgram(random, p.Program) },
	}
	for _, nodes := range [][]merkle.Digest{p.MainCap, p.AuxiliaryCap, p.QuotientCap, p.Trees[phase].Siblings} {
		changes = append(changes, func() { pick(random, nodes, func(d *merkle.Digest) { d[random.IntN(32)] ^= 1 }) })
		changes = append(changes, func() { exchange(random, nodes) })
	}
	for _, opened := range p.Openings[phase] {
		changes = append(changes, func() { pick(random, opened.Current, func(e *goldilocks.Extension) { *e = extension() }) })
		changes = append(changes, func() { pick(random, opened.Next, func(e *goldilocks.Extension) { *e = extension() }) })
	}
	for _, rows := range p.Trees[phase].Rows {
		changes = append(changes, func() { pick(random, rows.Cells, func(e *goldilocks.Element) { *e = element() }) })
		changes = append(changes, func() { exchange(random, rows.Cells) })
	}
	return changes
}

func changeProgram(random *rand.Rand, key *protocol.ProgramKey) *protocol.ProgramKey {
	if key == nil {
		return &protocol.ProgramKey{Entry: random.Uint64()}
	}
	changed := *key
	changed.LogHeights, changed.Cap = slices.Clone(key.LogHeights), slices.Clone(key.Cap)
	changed.Larger = slices.Clone(key.Larger)
	switch random.IntN(6) {
	case 0:
		changed.Entry++
	case 1:
		changed.Image[random.IntN(32)] ^= 1
	case 2:
		pick(random, changed.LogHeights, func(h *int) { *h ^= 1 })
	case 3:
		pick(random, changed.Cap, func(d *merkle.Digest) { d[random.IntN(32)] ^= 1 })
	case 4:
		pick(random, changed.Larger, func(d *merkle.Digest) { d[random.IntN(32)] ^= 1 })
	default:
		return nil
	}
	return &changed
}

// pick changes one item of a list that may be empty.
func pick[T any](random *rand.Rand, list []T, change func(*T)) {
	if len(list) > 0 {
		change(&list[random.IntN(len(list))])
	}
}

func exchange[T any](random *rand.Rand, list []T) {
	if len(list) > 1 {
		i, j := random.IntN(len(list)), random.IntN(len(list))
		list[i], list[j] = list[j], list[i]
	}
}

func leaveOut[T any](random *rand.Rand, list []T) []T {
	if len(list) == 0 {
		return list
	}
	at := random.IntN(len(list))
	return slices.Delete(slices.Clone(list), at, at+1)
}

func twice[T any](random *rand.Rand, list []T) []T {
	if len(list) == 0 {
		return list
	}
	at := random.IntN(len(list))
	return slices.Insert(slices.Clone(list), at, list[at])
}

// Decoding a proof takes at most twice the memory of its file, with both verifiers, for any change.
func TestMutantsMemory(t *testing.T) {
	longtest.Only(t)
	groups := slices.Concat(mutantSubjects(t), largeSubjects(t))
	random := rand.New(rand.NewPCG(*mutantSeed, 1<<63))
	for _, group := range groups {
		for n := range 150 {
			file := group[0].file
			if n > 0 {
				file = group[0].mutate(group, random)
			}
			first := independent.LeastAllocated(func() { new(protocol.Proof).UnmarshalBinary(file) })
			second := independent.LeastAllocated(func() { independent.Decode(file) })
			if most := max(first, second); most > 2*uint64(len(file))+8192 {
				t.Errorf("machine %s: %d bytes for a file of %d", group[0].key.Machine.Name, most, len(file))
			}
		}
	}
}
