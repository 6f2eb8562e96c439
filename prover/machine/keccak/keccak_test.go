package keccak

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/crypto/sha3"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/internal/cpufeature/cpufeaturetest"
	"github.com/chiasmus/chiasmus/prover/keccak"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/run"
)

var large = flag.Bool("keccak.large", false, "check traces of large inputs in full")

func mustProgram(t testing.TB) run.Program {
	t.Helper()
	p, err := Program()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// defined is the machine with its fillers.
var defined = func() *definition {
	d, err := build()
	if err != nil {
		panic(err)
	}
	return d
}()

func width(table int) int { return len(defined.Machine().Tables[table].Main) }

// smallInstances have heights for one permutation to ten.
func smallInstances() []circuit.Instance {
	return []circuit.Instance{{Table: tableSponge, LogHeight: 3}, {Table: tablePermutation, LogHeight: 7},
		{Table: tableXor, LogHeight: 8}}
}

// executed executes an input that the machine accepts.
func executed(t testing.TB, input run.Input) machine.Execution {
	t.Helper()
	e, err := run.Execute(context.Background(), &program{definition: defined}, input)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// heights are the log heights of an execution's tables.
func heights(instances []circuit.Instance) (list []int) {
	for _, instance := range instances {
		list = append(list, instance.LogHeight)
	}
	return list
}

func randomBytes(n int) []byte {
	random := rand.New(rand.NewPCG(uint64(n), 3))
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(random.Uint32())
	}
	return data
}

// Digest and length equal an independent implementation's, and the traces satisfy every constraint and bus.
func TestDigests(t *testing.T) {
	p := mustProgram(t)
	lengths := []int{0, 1, 135, 136, 137, 271, 272, 1000}
	for _, length := range append(lengths, 100000) {
		t.Run(fmt.Sprint(length), func(t *testing.T) {
			data := randomBytes(length)
			w := executed(t, run.Input{Data: data, MinLogHeight: 3})
			hash := sha3.NewLegacyKeccak256()
			hash.Write(data)
			fields := p.Describe(w.Public())
			if want := hex.EncodeToString(hash.Sum(nil)); fields[0].Value != want || fields[1].Value != fmt.Sprint(length) {
				t.Errorf("public values %v, want digest %s and length %d", fields, want, length)
			}
			if size, err := p.Size(w.Public(), w.Instances()); err != nil || size != length/136+1 {
				t.Errorf("size %d, %v", size, err)
			}
			if length > 10000 && !*large {
				return
			}
			if err := p.Fillers().Check(parallel.New(0), w); err != nil {
				t.Error(err)
			}
		})
	}
}

// Absorbing does not change input bytes.
func TestInputIsKept(t *testing.T) {
	data := randomBytes(300)
	before := string(data)
	executed(t, run.Input{Data: data[:290]})
	if string(data) != before {
		t.Error("the input was changed")
	}
}

func TestSynthetic(t *testing.T) {
	p := mustProgram(t)
	digests := map[string]bool{}
	for _, seed := range []uint64{1, 2, 1} {
		for _, size := range []int{1, 2, 5} {
			w := executed(t, run.Input{Size: size, Seed: seed, MinLogHeight: 4})
			if got, err := p.Size(w.Public(), w.Instances()); err != nil || got != size {
				t.Errorf("size %d, %v, want %d", got, err, size)
			}
			want, err := p.Estimate(size, 4, nil)
			if err != nil || !slices.Equal(want, w.Instances()) {
				t.Errorf("instances %v, want %v, %v", w.Instances(), want, err)
			}
			digests[p.Describe(w.Public())[0].Value] = true
			if seed == 1 {
				if err := p.Fillers().Check(parallel.New(0), w); err != nil {
					t.Error(err)
				}
			}
		}
	}
	if len(digests) != 6 {
		t.Errorf("%d digests of 2 seeds and 3 sizes", len(digests))
	}
}

// Parts begin short, grow to the maximum, and end short enough to wait for but large enough for a device, for every
// size.
func TestParts(t *testing.T) {
	for count := range 5 * mostBlocks {
		end, longest := 0, 2*firstBlocks
		for i, next := range partsOf(count) {
			size := next - end
			if size < 1 || size > longest || i == 0 && count > longest && size != firstBlocks {
				t.Fatalf("%d blocks: part %d has %d", count, i, size)
			}
			if next == count && (size > lastBlocks || i > 1 && 2*size < lastBlocks-firstBlocks) {
				t.Fatalf("%d blocks: the last part has %d", count, size)
			}
			end, longest = next, min(2*longest, mostBlocks)
		}
		if end != count {
			t.Fatalf("the parts of %d blocks have %d", count, end)
		}
	}
}

// An execution hands over its records in parts whose lengths depend on the size, for a file of several parts and for a
// second call too. The context ends the execution of a long file.
func TestGrowing(t *testing.T) {
	for _, size := range []int{1, firstBlocks + 1, mostBlocks, 3*mostBlocks + 7} {
		parts := partsOf(size)
		e := executed(t, run.Input{Size: size, Seed: 5})
		device := e.Device()
		for range 2 {
			var calls int
			var last [][]uint64
			if err := device.Grow(func(known [][]uint64) error {
				if got := len(known[recordInputs]) / lanes; got != parts[calls] {
					t.Errorf("size %d, part %d: %d permutations, want %d", size, calls, got, parts[calls])
				}
				calls++
				for set, words := range last {
					if !slices.Equal(known[set][:len(words)], words) {
						t.Errorf("size %d, part %d: set %d is not what was handed over and more", size, calls, set)
					}
				}
				last = slices.Clone(known)
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			if want := e.Records(); calls != len(parts) || !slices.EqualFunc(last, want, slices.Equal) {
				t.Errorf("size %d: %d parts, the last not all records", size, calls)
			}
			for set, words := range last {
				if want := device.Words[set]; uint64(len(words)) != want {
					t.Errorf("size %d: %d words of set %d, %d were announced", size, len(words), set, want)
				}
			}
		}
		stop, calls := errors.New("stop"), 0
		if err := device.Grow(func([][]uint64) error { calls++; return stop }); err != stop || calls != 1 {
			t.Errorf("size %d: %v after %d parts", size, err, calls)
		}
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	cancelled := errors.New("cancelled")
	cancel(cancelled)
	if _, err := (&program{definition: defined}).Run(ctx, run.Input{Size: mostConcurrent + 1}); err != cancelled {
		t.Errorf("a long file, cancelled: %v", err)
	}
}

// A released execution keeps its statement. Its records' memory is reused for the next execution that fits, with the
// same records as in fresh memory.
func TestReleasedMemory(t *testing.T) {
	p := &program{definition: defined}
	execute := func(size int) *execution {
		e, err := run.Execute(context.Background(), p, run.Input{Size: size, Seed: 6})
		if err != nil {
			t.Fatal(err)
		}
		return e.(*execution)
	}
	first := execute(9)
	stated, memory := first.Public(), &first.Records()[recordInputs][0]
	first.Release()
	if !slices.Equal(first.Public().Values, stated.Values) || len(first.Instances()) != 3 {
		t.Error("a released execution states something else")
	}
	for _, tc := range []struct {
		size   int
		reused bool
	}{{10, false}, {7, true}, {7, false}} {
		e := execute(tc.size)
		want := executed(t, run.Input{Size: tc.size, Seed: 6}).Records()
		if got := e.Records(); !slices.EqualFunc(got, want, slices.Equal) || (&got[recordInputs][0] == memory) != tc.reused {
			t.Errorf("size %d after a released one: the records or their memory are others", tc.size)
		}
	}
}

// The records are complete, whichever of the goroutine and the waiting caller absorbed which turns.
func TestTurnsOfBoth(t *testing.T) {
	whole := executed(t, run.Input{Size: 2*firstBlocks + 9, Seed: 8}).(*execution)
	file := whole.Records()[recordFile]
	e := &execution{length: whole.length, ends: whole.ends, inputs: make([]uint64, len(whole.inputs))}
	e.file = append(slices.Clone(file[:len(file)-lanes]), make([]uint64, lanes)...)
	for range e.ends {
		e.absorbed = append(e.absorbed, make(chan struct{}))
	}
	e.chain.inputs, e.chain.own = make([]uint64, len(e.inputs)), make([]bool, len(e.inputs))
	e.chain.at.Store(new(progress))
	e.chain.read.Store(int64(e.permutations()))
	last := len(e.ends) - 1
	for turn := 0; e.chain.at.Load().absorbed < e.permutations(); turn++ {
		if turn%3 == 1 {
			e.advance(e.chain.inputs)
		} else if !e.helps(last) {
			t.Fatalf("turn %d: who waits for more does not absorb", turn)
		}
	}
	if e.helps(last) {
		t.Error("who waits for nothing absorbs")
	}
	var state [lanes]uint64
	inputs := make([]uint64, len(e.inputs))
	keccak.Chain(&state, e.blocks(0, e.permutations()), inputs)
	if records := e.Records(); !slices.Equal(records[recordInputs], inputs) || e.digest != state {
		t.Error("the records are others than those of one that absorbs alone")
	}
}

// The records of a file of several parts equal the permutation's results, block by block, even if several parts are
// absorbed together and each waits for another.
func TestRecordsOfSeveralParts(t *testing.T) {
	data := randomBytes(2*mostBlocks*rateBytes + 77)
	e := executed(t, run.Input{Data: data})
	var all sync.WaitGroup
	for waiting := range 3 {
		all.Go(func() {
			own := e.(*execution)
			own.await(len(own.ends) - 1 - waiting)
		})
	}
	all.Wait()
	padded := append(slices.Clone(data), 1)
	padded = append(padded, make([]byte, rateBytes-len(padded)%rateBytes)...)
	padded[len(padded)-1] |= 0x80
	var state [lanes]uint64
	records := e.Records()
	inputs, file := records[recordInputs], records[recordFile]
	if len(inputs) != lanes*len(padded)/rateBytes || len(file) != 1+len(padded)/8+lanes {
		t.Fatalf("record sets of %d and %d words for %d bytes", len(inputs), len(file), len(data))
	}
	for p := range len(padded) / rateBytes {
		for i := range rateLanes {
			word := binary.LittleEndian.Uint64(padded[rateBytes*p+8*i:])
			if file[1+rateLanes*p+i] != word {
				t.Fatalf("word %d of block %d is %x, want %x", i, p, file[1+rateLanes*p+i], word)
			}
			state[i] ^= word
		}
		if got := [lanes]uint64(inputs[lanes*p:]); got != state {
			t.Fatalf("permutation %d gets %x, want %x", p, got, state)
		}
		keccak.Permute(&state)
	}
	if got := file[len(file)-lanes:]; !slices.Equal(got, state[:]) || file[0] != uint64(len(data)) {
		t.Errorf("the file ends with %x and has %d bytes, want %x and %d", got, file[0], state, len(data))
	}
}

func TestHeights(t *testing.T) {
	p := mustProgram(t)
	for _, c := range []struct {
		size, minimum int
		want          string
	}{
		{1, 5, "[5 5 8]"},
		{1, 8, "[8 8 8]"},
		{10, 1, "[4 8 8]"},
		{11, 1, "[4 9 8]"},
		{21845, 8, "[15 19 8]"},
		{21846, 8, "[15 20 8]"},
	} {
		if got, err := p.Estimate(c.size, c.minimum, nil); err != nil || fmt.Sprint(heights(got)) != c.want {
			t.Errorf("heights of %d permutations: %v, %v, want %s", c.size, got, err, c.want)
		}
	}
	for want, size := range map[string]int{"want at least 1": 0, "at most 2^28 are allowed": 1 << 25} {
		if _, err := p.Estimate(size, 8, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if _, err := p.Estimate(1, 9, nil); err == nil || !strings.Contains(err.Error(), "table xor4 has 2^8 rows") {
		t.Errorf("error %v", err)
	}
	if _, err := mustProgram(t).Run(context.Background(), run.Input{MinLogHeight: 8}); err == nil {
		t.Error("no error for 0 permutations")
	}
}

func TestCheckPublic(t *testing.T) {
	p := mustProgram(t)
	w := executed(t, run.Input{Data: []byte("abc")})
	for want, change := range map[string]func(public []goldilocks.Element) []goldilocks.Element{
		"limb 3 of the digest is 65536, want less than 2^16": func(v []goldilocks.Element) []goldilocks.Element {
			v[3] = 1 << 16
			return v
		},
		"the length is 1099511627776, want less than 2^40": func(v []goldilocks.Element) []goldilocks.Element {
			v[publicLength] = 1 << 40
			return v
		},
		"16 public values, want 17": func(v []goldilocks.Element) []goldilocks.Element { return v[1:] },
		"public value digest[2] is 18446744069414584321": func(v []goldilocks.Element) []goldilocks.Element {
			v[2] = goldilocks.Element(goldilocks.Modulus-1) + 1
			return v
		},
	} {
		public := circuit.Public{Values: change(slices.Clone(w.Public().Values))}
		if err := p.Machine().CheckStated(public); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
		if _, err := p.Size(public, w.Instances()); err == nil {
			t.Errorf("%s: Size accepts it", want)
		}
	}
}

// Statements depend only on the claim.
func TestStatements(t *testing.T) {
	p := mustProgram(t)
	a := executed(t, run.Input{Data: []byte("a"), MinLogHeight: 3})
	sameOnTallerTables := executed(t, run.Input{Data: []byte("a"), MinLogHeight: 8})
	b := executed(t, run.Input{Data: []byte("b"), MinLogHeight: 3})
	if circuit.ExactStatement(p, a.Public(), 1) != circuit.ExactStatement(p, sameOnTallerTables.Public(), 1) {
		t.Error("the statement depends on the heights")
	}
	if circuit.ExactStatement(p, a.Public(), 1) == circuit.ExactStatement(p, b.Public(), 1) {
		t.Error("two files have one exact statement")
	}
	if circuit.ClassStatement(p, 1) == circuit.ClassStatement(p, 2) {
		t.Error("two sizes have one class statement")
	}
	const want = "chiasmus.statement/1\nmachine keccak\ndigest " +
		"3ac225168df54212a25c1c01fd35bebfea408fdac2e31ddd6f80a4bbf9a5f1cb\nlength 1\n"
	if got := circuit.ExactStatementText(p, a.Public(), 1); got != want {
		t.Errorf("exact statement:\n%s\nwant\n%s", got, want)
	}
	if got := circuit.ClassStatementText(p, 7); got != "chiasmus.statement/1\nmachine keccak\nsize 7 permutation\n" {
		t.Errorf("class statement:\n%s", got)
	}
}

func TestFillRejectsOtherShapes(t *testing.T) {
	w := executed(t, run.Input{Data: []byte{}})
	sponge := defined.fillers.Tables[tableSponge]
	for want, columns := range map[string][][]goldilocks.Element{
		"1 columns of table sponge":               make([][]goldilocks.Element, 1),
		"column state[0] of table sponge has 0 r": make([][]goldilocks.Element, width(tableSponge)),
	} {
		if err := sponge.Fill(nil, w, tableSponge, columns); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if err := sponge.Fill(nil, &machine.Mutated{}, tableSponge, nil); err == nil ||
		!strings.Contains(err.Error(), "not this machine's") {
		t.Errorf("another machine's execution: %v", err)
	}
}

// Filling with one worker and with many, with every instruction set, gives equal cells.
func TestFillIsDeterministic(t *testing.T) {
	p := mustProgram(t)
	w := executed(t, run.Input{Size: 75, Seed: 1})
	var want []air.Instance
	cpufeaturetest.InEveryForm(t, func(t *testing.T) {
		for _, workers := range []int{1, 7} {
			got, err := p.Fillers().Traces(parallel.New(workers), w)
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = got
			}
			for i := range want {
				for c := range want[i].Trace.Main {
					if !slices.Equal(want[i].Trace.Main[c], got[i].Trace.Main[c]) {
						t.Fatalf("table %d, column %d differs with %d workers", i, c, workers)
					}
				}
			}
		}
	})
}

func TestSummary(t *testing.T) {
	m := mustProgram(t).Machine()
	for i, want := range []circuit.TableSummary{
		{Name: "sponge", MainColumns: 881, AuxiliaryColumns: 411},
		{Name: "keccak-f", MainColumns: 2308, AuxiliaryColumns: 3},
		{Name: "xor4", MainColumns: 1, PreprocessedColumns: 3, AuxiliaryColumns: 3},
	} {
		got := m.Summary()[i]
		t.Logf("%+v", got)
		if got.Name != want.Name || got.MainColumns != want.MainColumns ||
			got.PreprocessedColumns != want.PreprocessedColumns ||
			got.AuxiliaryColumns != want.AuxiliaryColumns || got.Degree > air.MaxDegree {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
}

// The longest file of the heights fills every word.
func TestRecordWords(t *testing.T) {
	for _, size := range []int{10, 42, 170} { // 240, 1008 and 4080 rows
		w := executed(t, run.Input{Size: size})
		most := defined.fillers.RecordWords(w.Instances())
		for i, records := range w.Records() {
			if uint64(len(records)) != most[i] {
				t.Errorf("%d permutations: record set %d has %d words, want at most %d", size, i,
					len(records), most[i])
			}
		}
	}
}

// An execution that lies about the message is detected by the bus.
func TestBusesBalance(t *testing.T) {
	p := mustProgram(t)
	w := executed(t, run.Input{Data: randomBytes(500)})
	for name, c := range map[string]struct {
		table       int
		column, bus string
	}{
		"export withdrawn":    {tablePermutation, "export", "keccak-f"},
		"output of the block": {tableSponge, "output[28]", "keccak-f"},
		"mixed nibble":        {tableSponge, "mixed[7]", "keccak-f"},
	} {
		bad := &machine.Mutated{Execution: w, Change: func(table int, columns [][]goldilocks.Element) {
			if table == c.table {
				column := columns[p.Machine().Tables[table].Column(c.column)]
				for row := range min(rounds, len(column)) {
					column[row] = column[row].Sub(1)
				}
			}
		}}
		traces, err := p.Fillers().Mutable().Traces(nil, bad)
		if err != nil {
			t.Fatal(err)
		}
		var imbalance *air.Imbalance
		if err := air.CheckBuses(traces, w.Public().Values, nil); !errors.As(err, &imbalance) || imbalance.Bus != c.bus {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Values of an earlier proof do not remain: every cell is written, in tables that are full, nearly empty, and truncated
// within a permutation. The largest table exceeds the caches.
func TestFillWritesEveryCell(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, permutations := range []int{1, 2, 10, 11, 170} {
		e := executed(t, run.Input{Size: permutations, Seed: 1, MinLogHeight: 8})
		for table, width := range map[int]int{tableSponge: width(tableSponge), tablePermutation: width(tablePermutation)} {
			clean, dirty := make([][]goldilocks.Element, width), make([][]goldilocks.Element, width)
			for c := range clean {
				clean[c] = make([]goldilocks.Element, 1<<e.Instances()[table].LogHeight)
				dirty[c] = make([]goldilocks.Element, 1<<e.Instances()[table].LogHeight)
				for row := range dirty[c] {
					dirty[c][row] = goldilocks.FromUint64(random.Uint64())
				}
			}
			for _, columns := range [][][]goldilocks.Element{clean, dirty} {
				if err := defined.fillers.Tables[table].Fill(parallel.New(3), e, table, columns); err != nil {
					t.Fatal(err)
				}
			}
			for c := range clean {
				if !slices.Equal(clean[c], dirty[c]) {
					t.Fatalf("%d permutations, table %d: column %d shows what was in it before", permutations, table, c)
				}
			}
		}
	}
}
