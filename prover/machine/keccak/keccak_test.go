package keccak

import (
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"golang.org/x/crypto/sha3"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

var large = flag.Bool("keccak.large", false, "check traces of large inputs in full")

func mustProgram(t testing.TB) machine.Program {
	t.Helper()
	p, err := Program()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func randomBytes(n int) []byte {
	random := rand.New(rand.NewPCG(uint64(n), 3))
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(random.Uint32())
	}
	return data
}

// Digest and length are those of an independent implementation, and the traces
// satisfy every constraint and bus.
func TestDigests(t *testing.T) {
	p := mustProgram(t)
	lengths := []int{0, 1, 135, 136, 137, 271, 272, 1000}
	for _, length := range append(lengths, 100000) {
		t.Run(fmt.Sprint(length), func(t *testing.T) {
			data := randomBytes(length)
			w, err := p.Input(data, 3)
			if err != nil {
				t.Fatal(err)
			}
			hash := sha3.NewLegacyKeccak256()
			hash.Write(data)
			fields := p.Describe(w.Public())
			if want := hex.EncodeToString(hash.Sum(nil)); fields[0].Value != want || fields[1].Value != fmt.Sprint(length) {
				t.Errorf("public values %v, want digest %s and length %d", fields, want, length)
			}
			if size, err := p.Size(w.Public(), w.LogHeights()); err != nil || size != length/136+1 {
				t.Errorf("size %d, %v", size, err)
			}
			if length > 10000 && !*large {
				return
			}
			if err := p.Machine().Check(parallel.New(0), w); err != nil {
				t.Error(err)
			}
		})
	}
}

// Input bytes are not changed by absorbing them.
func TestInputIsKept(t *testing.T) {
	data := randomBytes(300)
	before := string(data)
	if _, err := mustProgram(t).Input(data[:290], 3); err != nil {
		t.Fatal(err)
	}
	if string(data) != before {
		t.Error("the input was changed")
	}
}

func TestSynthetic(t *testing.T) {
	p := mustProgram(t)
	digests := map[string]bool{}
	for _, seed := range []uint64{1, 2, 1} {
		for _, size := range []int{1, 2, 5} {
			w, err := p.Synthetic(size, seed, 4)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := p.Size(w.Public(), w.LogHeights()); err != nil || got != size {
				t.Errorf("size %d, %v, want %d", got, err, size)
			}
			want, err := p.LogHeights(size, 4)
			if err != nil || fmt.Sprint(want) != fmt.Sprint(w.LogHeights()) {
				t.Errorf("heights %v, want %v, %v", w.LogHeights(), want, err)
			}
			digests[p.Describe(w.Public())[0].Value] = true
			if seed == 1 {
				if err := p.Machine().Check(parallel.New(0), w); err != nil {
					t.Error(err)
				}
			}
		}
	}
	if len(digests) != 6 {
		t.Errorf("%d digests of 2 seeds and 3 sizes", len(digests))
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
		if got, err := p.LogHeights(c.size, c.minimum); err != nil || fmt.Sprint(got) != c.want {
			t.Errorf("heights of %d permutations: %v, %v, want %s", c.size, got, err, c.want)
		}
	}
	for want, size := range map[string]int{"want at least 1": 0, "at most 2^28 are possible": 1 << 25} {
		if _, err := p.LogHeights(size, 8); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if _, err := p.LogHeights(1, 9); err == nil || !strings.Contains(err.Error(), "table xor4 has 2^8 rows") {
		t.Errorf("error %v", err)
	}
	if _, err := p.Synthetic(0, 1, 8); err == nil {
		t.Error("no error for 0 permutations")
	}
}

func TestCheckPublic(t *testing.T) {
	p := mustProgram(t)
	w, err := p.Input([]byte("abc"), 3)
	if err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(public []goldilocks.Element) []goldilocks.Element{
		"limb 3 of the digest is 65536, want less than 2^16": func(v []goldilocks.Element) []goldilocks.Element { v[3] = 1 << 16; return v },
		"the length is 1099511627776, want less than 2^40":   func(v []goldilocks.Element) []goldilocks.Element { v[publicLength] = 1 << 40; return v },
		"16 public values, want 17":                          func(v []goldilocks.Element) []goldilocks.Element { return v[1:] },
		"public value digest[2] is 18446744069414584321": func(v []goldilocks.Element) []goldilocks.Element {
			v[2] = goldilocks.Element(goldilocks.Modulus-1) + 1
			return v
		},
	} {
		public := change(append([]goldilocks.Element(nil), w.Public()...))
		if err := p.Machine().CheckPublicValues(public); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
		if _, err := p.Size(public, w.LogHeights()); err == nil {
			t.Errorf("%s: Size accepts it", want)
		}
	}
}

// Statements depend on what is claimed and on nothing else.
func TestStatements(t *testing.T) {
	p := mustProgram(t)
	a, _ := p.Input([]byte("a"), 3)
	sameOnTallerTables, _ := p.Input([]byte("a"), 8)
	b, _ := p.Input([]byte("b"), 3)
	if machine.ExactStatement(p, a.Public(), 1) != machine.ExactStatement(p, sameOnTallerTables.Public(), 1) {
		t.Error("the statement depends on the heights")
	}
	if machine.ExactStatement(p, a.Public(), 1) == machine.ExactStatement(p, b.Public(), 1) {
		t.Error("two files have one exact statement")
	}
	if machine.ClassStatement(p, 1) == machine.ClassStatement(p, 2) {
		t.Error("two sizes have one class statement")
	}
	const want = "chiasmus.statement/1\nmachine keccak\ndigest 3ac225168df54212a25c1c01fd35bebfea408fdac2e31ddd6f80a4bbf9a5f1cb\nlength 1\n"
	if got := machine.ExactStatementText(p, a.Public(), 1); got != want {
		t.Errorf("exact statement:\n%s\nwant\n%s", got, want)
	}
	if got := machine.ClassStatementText(p, 7); got != "chiasmus.statement/1\nmachine keccak\nsize 7 permutation\n" {
		t.Errorf("class statement:\n%s", got)
	}
}

func TestFillRejectsOtherShapes(t *testing.T) {
	w, err := mustProgram(t).Input(nil, 3)
	if err != nil {
		t.Fatal(err)
	}
	for want, columns := range map[string][][]goldilocks.Element{
		"1 columns of table 0":        make([][]goldilocks.Element, 1),
		"column 0 of table 0 has 0 r": make([][]goldilocks.Element, spongeWidth),
	} {
		if err := w.Fill(nil, tableSponge, columns); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if err := w.Fill(nil, 3, nil); err == nil {
		t.Error("no error for table 3")
	}
}

// Filling with one worker and with many, in every form of the processor's
// instructions, gives the same cells.
func TestFillIsDeterministic(t *testing.T) {
	p := mustProgram(t)
	w, err := p.Synthetic(75, 1, 3)
	if err != nil {
		t.Fatal(err)
	}
	var want []air.Trace
	inEveryForm(t, func(t *testing.T) {
		for _, workers := range []int{1, 7} {
			got, err := p.Machine().Traces(parallel.New(workers), w)
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = got
			}
			for i := range want {
				for c := range want[i].Main {
					if !slices.Equal(want[i].Main[c], got[i].Main[c]) {
						t.Fatalf("table %d, column %d differs with %d workers", i, c, workers)
					}
				}
			}
		}
	})
}

func TestSummary(t *testing.T) {
	m := mustProgram(t).Machine()
	for i, want := range []machine.TableSummary{
		{Name: "sponge", MainColumns: spongeWidth, AuxiliaryColumns: 414, RowsPerUnit: 1},
		{Name: "keccak-f", MainColumns: permutationWidth, AuxiliaryColumns: 6, RowsPerUnit: 24},
		{Name: "xor4", MainColumns: 1, PreprocessedColumns: 3, AuxiliaryColumns: 6},
	} {
		got := m.Summary()[i]
		t.Logf("%+v", got)
		if got.Name != want.Name || got.MainColumns != want.MainColumns || got.PreprocessedColumns != want.PreprocessedColumns ||
			got.AuxiliaryColumns != want.AuxiliaryColumns || got.RowsPerUnit != want.RowsPerUnit || got.Degree > air.MaxDegree ||
			got.CellsPerUnit != want.RowsPerUnit*(want.MainColumns+want.AuxiliaryColumns) {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
}

// A witness that lies about the message is found on the bus.
func TestBusesBalance(t *testing.T) {
	p := mustProgram(t)
	w, err := p.Input(randomBytes(500), 3)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		table, column int
		bus           string
	}{
		"export withdrawn":    {tablePermutation, permutationExport, "keccak-f"},
		"output of the block": {tableSponge, spongeOutput + stateWords - 1, "keccak-f"},
		"mixed nibble":        {tableSponge, spongeMixed + 7, "keccak-f"},
	} {
		bad := &machine.Mutated{Witness: w, Change: func(table int, columns [][]goldilocks.Element) {
			if table == c.table {
				for row := range rounds {
					if row < len(columns[c.column]) {
						columns[c.column][row] = columns[c.column][row].Sub(1)
					}
				}
			}
		}}
		traces, err := p.Machine().Traces(nil, bad)
		if err != nil {
			t.Fatal(err)
		}
		var imbalance *air.Imbalance
		if err := air.CheckBuses(p.Machine().Tables, traces, w.Public(), nil); !errors.As(err, &imbalance) || imbalance.Bus != c.bus {
			t.Errorf("%s: %v", name, err)
		}
	}
}
