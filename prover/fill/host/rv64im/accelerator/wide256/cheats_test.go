package wide256

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	numbers "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/relation"
	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/wide256"
	"github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator/acceleratortest"
)

// examples are calls with and without overflow, and their sums.
func examples(t *testing.T) (read, written [][]uint64) {
	r := rand.New(rand.NewPCG(17, 18))
	for i := range 6 {
		accumulator := random(r, 500)
		if i%2 == 1 {
			accumulator = power(513, -1)
		}
		one := call(power(255, int64(i)), new(big.Int).Add(power(254, 77), random(r, 200)), accumulator)
		sum, err := circuit.Kind.Result(one)
		if err != nil {
			t.Fatal(err)
		}
		read, written = append(read, one), append(written, sum)
	}
	return read, written
}

func overflows(read, written []uint64) bool { return written[8] != read[16] }

func refused(t *testing.T, name string, s *acceleratortest.Subject, want ...string) {
	t.Helper()
	if found := s.Broken(); !slices.Equal(found, want) {
		t.Errorf("%s: refused by %q, want %q", name, found, want)
	}
}

// Another sum is refused by a step of the equation, whichever bit differs.
func TestFalseSums(t *testing.T) {
	read, written := examples(t)
	for i := range read {
		for bit := range 512 {
			if (bit+i)%7 != 0 {
				continue
			}
			sum := slices.Clone(written[i])
			sum[bit/64] ^= 1 << (bit % 64)
			found := claim(t, read[i], sum, overflows(read[i], written[i])).Broken()
			if len(found) == 0 {
				t.Errorf("call %d: a sum with another bit %d is not refused", i, bit)
			}
			for _, f := range found {
				if !strings.HasPrefix(f, "sum: step ") && f != "R20" {
					t.Errorf("call %d: a sum with another bit %d is refused by %q", i, bit, f)
				}
			}
		}
	}
}

// Overflows can be neither hidden nor invented, nor counted differently.
func TestFalseOverflows(t *testing.T) {
	read, written := examples(t)
	for i := range read {
		is := overflows(read[i], written[i])
		if is != (i%2 == 1) {
			t.Fatalf("call %d overflows: %v", i, is)
		}
		refused(t, "the true sum", claim(t, read[i], written[i], is))
		refused(t, "another overflow", claim(t, read[i], written[i], !is), "overflows are counted", "sum: step 15")
		sum := slices.Clone(written[i])
		sum[8]++
		refused(t, "another count", claim(t, read[i], sum, is), "overflows are counted")
	}
	s := claim(t, read[1], written[1], true)
	*s.Calls.Cell("overflow", 0), *s.Calls.Cell("written[16]", 0) = 2, s.Calls.Cell("written[16]", 0).Add(1)
	if found := s.Broken(); !slices.Contains(found, "overflow is boolean") {
		t.Errorf("two overflows: refused by %q", found)
	}
}

// A ninth word that is too large before or after the sum is refused.
func TestTooLarge(t *testing.T) {
	one, most := big.NewInt(1), power(544, -1)
	sum := numbers.Words(power(544, 0), 9)
	refused(t, "a ninth word of 2^32 after", claim(t, call(one, one, most), sum, true),
		"overflows are counted", "the sum is below 2^544")
	before := call(one, one, power(544, 0))
	after := numbers.Words(power(544, 1), 9)
	refused(t, "a ninth word of 2^32 before", claim(t, before, after, false),
		"the accumulator is below 2^544", "the sum is below 2^544")
	// A count of 2^32 in the low limb, which is out of its range.
	s := claim(t, call(one, one, most), make([]uint64, 9), true)
	*s.Calls.Cell("written[16]", 0), *s.Calls.Cell("sum[16]", 0) = 1<<32, 1<<16
	refused(t, "a limb of 2^32", s, "R16")
}

// No cell is free: every cell that the filler writes is refused if it is changed by 1.
func TestNoCellIsFree(t *testing.T) {
	read, written := examples(t)
	for i := range 2 {
		s := claim(t, read[i], written[i], overflows(read[i], written[i]))
		for c, name := range s.Calls.Table.Main {
			if c < 2 {
				continue // the machine fills m and ts
			}
			changed := s.Clone()
			cell := &changed.Calls.Columns[c][0]
			if *cell = cell.Add(1); len(changed.Broken()) == 0 {
				t.Errorf("call %d: %s is free", i, name)
			}
		}
	}
}

// Other digits of the same numbers are refused, although the equation holds with carries in range.
func TestOtherDigits(t *testing.T) {
	read, written := examples(t)
	for _, name := range []string{"x", "y"} {
		for i := range 2 * circuit.NumberWords {
			s := claim(t, read[0], written[0], overflows(read[0], written[0]))
			cell := s.Calls.Cell(fmt.Sprintf("%s[%d]", name, i), 0)
			*cell = cell.Sub(1) // the low half becomes 2^16 more
			acceleratortest.SettleEquation(s.Calls, "sum", circuit.Shape)
			if found := s.Broken(); !slices.Contains(found, "R16") {
				t.Errorf("half %d of %s: refused by %q", i, name, found)
			}
		}
	}
	for i := range 4 * circuit.NumberWords { // a limb of the sum that is negative, and one more above
		s := claim(t, read[0], written[0], overflows(read[0], written[0]))
		cell, above := s.Calls.Cell(fmt.Sprintf("written[%d]", i), 0), s.Calls.Cell(fmt.Sprintf("written[%d]", i+1), 0)
		*cell, *above = cell.Sub(1<<32), above.Add(1)
		s.Calls.Solve(s.Calls.Cell("overflow", 0), "overflows are counted", 0)
		acceleratortest.SettleEquation(s.Calls, "sum", circuit.Shape)
		if found := s.Broken(); !slices.Contains(found, "R16") {
			t.Errorf("limb %d of the sum: refused by %q", i, found)
		}
	}
}
