package fp3

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/fp3"
	"github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator/acceleratortest"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

const p = goldilocks.Modulus

// fillers are the fillers of both calls, with the number of words that each reads.
var fillers = map[string]struct {
	accelerator.Filler
	words int
}{"row": {Row, 36}, "multiply-add": {MultiplyAdd, 9}}

// edges are words at boundaries.
var edges = []uint64{0, 1, 1<<32 - 1, 1 << 32, p - 1, p, p + 1, 1<<64 - 1, 1<<64 - 1<<32 - 1, 1<<64 - 1<<32}

// calls returns words for calls. Some rows have no invalid word.
func calls(words int) (list [][]uint64) {
	r := rand.New(rand.NewPCG(15, uint64(words)))
	for i := range 600 {
		read := make([]uint64, words)
		for k := range read {
			if read[k] = r.Uint64(); r.IntN(3) == 0 {
				read[k] = edges[r.IntN(len(edges))]
			}
			if i%2 == 0 && k < circuit.Block {
				read[k] %= p
			}
		}
		list = append(list, read)
	}
	return list
}

// Every constraint holds for filled rows, and without rows.
func TestFilledRowsHold(t *testing.T) {
	for name, f := range fillers {
		for some := range slices.Chunk(append(calls(f.words), make([]uint64, f.words)), 256) {
			if found := acceleratortest.New(t, f.Filler, some...).Honest(); len(found) > 0 {
				t.Fatal(name, found)
			}
		}
	}
}

// number returns an element of Fp3 as integers.
func number(words []uint64) (n [3]*big.Int) {
	for i := range n {
		n[i] = new(big.Int).SetUint64(words[i])
	}
	return n
}

// addProduct adds a b to sum: a polynomial product of integers. w^3 = 2 reduces the powers of w.
func addProduct(sum *[3]*big.Int, a, b [3]*big.Int) {
	for i, x := range a {
		for k, y := range b {
			product := new(big.Int).Mul(x, y)
			if i+k >= 3 {
				product.Lsh(product, 1)
			}
			sum[(i+k)%3].Add(sum[(i+k)%3], product)
		}
	}
}

// Results equal integer arithmetic.
func TestAgainstIntegers(t *testing.T) {
	modulus := new(big.Int).SetUint64(p)
	check := func(read, written []uint64, sum [3]*big.Int) {
		t.Helper()
		for i, n := range sum {
			if n.Mod(n, modulus); n.Uint64() != written[i] {
				t.Fatalf("%x: coordinate %d is %x, want %x", read, i, written[i], n)
			}
		}
	}
	for _, read := range calls(36) {
		written, err := circuit.Row.Result(read)
		if err != nil {
			t.Fatal(err)
		}
		sum, refused := number(read[32:]), read[35]
		for i, x := range read[:8] {
			addProduct(&sum, number([]uint64{x, 0, 0}), number(read[8+3*i:]))
			if new(big.Int).SetUint64(x).Cmp(modulus) >= 0 {
				refused = 1
			}
		}
		if check(read, written, sum); written[3] != refused {
			t.Fatalf("%x: the fourth word is %d, want %d", read, written[3], refused)
		}
	}
	for _, read := range calls(9) {
		written, err := circuit.MultiplyAdd.Result(read)
		if err != nil {
			t.Fatal(err)
		}
		sum := number(read[6:])
		addProduct(&sum, number(read), number(read[3:]))
		check(read, written, sum)
	}
}

// refused requires that the rows are refused for exactly these reasons.
func refused(t *testing.T, name string, s *acceleratortest.Subject, want ...string) {
	t.Helper()
	if found := s.Broken(); !slices.Equal(found, want) {
		t.Errorf("%s: refused by %q, want %q", name, found, want)
	}
}

// No cell is free: every cell that the filler writes is refused if it is changed by 1, except the inverses of 0 and of
// limbs that are 0.
func TestNoCellIsFree(t *testing.T) {
	for name, f := range fillers {
		random := rand.New(rand.NewPCG(17, 18))
		for range 40 {
			read := make([]uint64, f.words)
			for i := range read {
				read[i] = random.Uint64N(p) | 1 // so that low limbs are not 0
			}
			s := acceleratortest.New(t, f.Filler, read)
			for c, column := range s.Calls.Table.Main {
				if c < 2 || s.Calls.Columns[c][0] == 0 {
					continue // the machine fills m and ts
				}
				changed := s.Clone()
				cell := &changed.Calls.Columns[c][0]
				if *cell = cell.Add(1); len(changed.Broken()) == 0 {
					t.Errorf("%s: %s is free", name, column)
				}
			}
		}
	}
}

// set writes a 64-bit word into the limbs of a column.
func set(s *acceleratortest.Subject, column string, word int, value uint64) {
	*s.Calls.Cell(fmt.Sprintf("%s[%d]", column, 2*word), 0) = goldilocks.Element(value % (1 << 32))
	*s.Calls.Cell(fmt.Sprintf("%s[%d]", column, 2*word+1), 0) = goldilocks.Element(value >> 32)
}

// A result may be another representative of its element only if that is below p.
func TestResultPlusP(t *testing.T) {
	for name, f := range fillers {
		s := acceleratortest.New(t, f.Filler, make([]uint64, f.words)) // zeros: p is another word for the result
		set(s, "written", 1, p)
		*s.Calls.Cell("result[2]", 0), *s.Calls.Cell("result[3]", 0) = 0, 1<<16-1
		for _, inverse := range []goldilocks.Element{0, 1, 77} {
			*s.Calls.Cell("resultInverse[1]", 0) = inverse
			refused(t, name, s, "coordinate 1 of the result is below p")
		}
	}
}

// Halves beyond their ranges that compose the same limb are refused.
func TestHalves(t *testing.T) {
	for name, f := range fillers {
		s := acceleratortest.New(t, f.Filler, calls(f.words)[0])
		cell := s.Calls.Cell("result[0]", 0)
		*cell = cell.Sub(1)
		refused(t, name+", a low half", s, "R16")
	}
}

// Each step of the refusal of a word that is not below p can be denied only against its constraint.
func TestRefusal(t *testing.T) {
	read := make([]uint64, 36)
	read[2] = p + 4
	honest := acceleratortest.New(t, Row, read)
	try := func(name string, want string, lie func(cell func(name string) *goldilocks.Element)) {
		s := honest.Clone()
		lie(func(name string) *goldilocks.Element { return s.Calls.Cell(name, 0) })
		refused(t, name, s, want)
	}
	accept := func(cell func(name string) *goldilocks.Element) {
		*cell("refused"), *cell("excessInverse") = 0, 0
		*cell("written[6]") = 0
	}
	try("no refusal", "excess is refused", accept)
	try("no excess", "the excess", func(cell func(name string) *goldilocks.Element) {
		accept(cell)
		*cell("excess") = 0
	})
	try("a refusal that is not written", "the low limb of the refusal", func(cell func(name string) *goldilocks.Element) {
		*cell("written[6]") = 0
	})
	try("a high limb of the refusal", "the high limb of the refusal", func(cell func(name string) *goldilocks.Element) {
		*cell("written[7]") = 5
	})
	read[2] = p - 2
	honest = acceleratortest.New(t, Row, read)
	try("a refusal without reason", "nothing is refused without excess", func(cell func(name string) *goldilocks.Element) {
		*cell("refused"), *cell("written[6]") = 1, 1
	})
	try("an excess of a word below p", "whether the high limb of word 2 is the largest",
		func(cell func(name string) *goldilocks.Element) {
			*cell("inverse[2]") = 0
			*cell("excess") = *cell("read[4]")
			*cell("excessInverse") = cell("excess").Inverse()
			*cell("refused"), *cell("written[6]") = 1, 1
		})
}

// A sum reads every word, every coordinate of the coefficient and the previous value, and nothing else.
func TestSums(t *testing.T) {
	for name, f := range fillers {
		honest := acceleratortest.New(t, f.Filler, calls(f.words)[0])
		for k := range 3 {
			s := honest.Clone()
			word := uint64(*s.Calls.Cell(fmt.Sprintf("written[%d]", 2*k), 0)) ^ 1
			*s.Calls.Cell(fmt.Sprintf("written[%d]", 2*k), 0) = goldilocks.Element(word)
			refused(t, name, s, fmt.Sprintf("coordinate %d of the result", k))
		}
	}
}
