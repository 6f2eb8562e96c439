package all_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/ec"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/field"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/fp2"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/modmul"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/relation"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/wide256"
)

// numeric is an accelerator that computes with numbers of one size, and a solution with math/big.
type numeric struct {
	kind  *accelerator.Kind
	size  relation.Size
	heads int // the largest number in the word that selects the curve or the operation, plus 1, which is invalid
	head  int // its index, or -1 if there is none
	solve func(read []uint64) ([]uint64, error)
}

// written returns the words of some numbers.
func written(size relation.Size, err error, numbers ...*big.Int) (list []uint64, _ error) {
	if err != nil {
		return nil, err
	}
	for _, n := range numbers {
		list = append(list, relation.Words(n, int(size))...)
	}
	return list, nil
}

func numerics() (list []numeric) {
	for _, f := range []*ec.Family{ec.Of256, ec.Of384} {
		solve := func(read []uint64) ([]uint64, error) {
			s, err := f.Solve(read)
			return written(f.Size, err, s.X3, s.Y3)
		}
		list = append(list, numeric{&f.Add, f.Size, len(f.Curves), 0, solve},
			numeric{&f.Double, f.Size, len(f.Curves), 0, solve})
	}
	for _, f := range []*field.Field{field.Of256, field.Of384} {
		list = append(list, numeric{&f.Kind, f.Size, field.Root + 1, int(f.Size), func(read []uint64) ([]uint64, error) {
			s, err := f.Solve(read)
			return written(f.Size, err, s.Result)
		}})
	}
	for _, f := range []*fp2.Field{fp2.OfBN254, fp2.OfBLS12381} {
		solve := func(read []uint64) ([]uint64, error) {
			s, err := f.Solve(read)
			return written(f.Size, err, s.Result[:]...)
		}
		list = append(list, numeric{&f.Operation, f.Size, fp2.Subtract + 1, 0, solve}, numeric{&f.Sum, f.Size, 0, -1, solve})
	}
	return append(list, numeric{&modmul.Kind, 4, 0, -1, func(read []uint64) ([]uint64, error) {
		n, y, x := relation.Number(read[:4]), relation.Number(read[4:8]), relation.Number(read[8:])
		if n.Sign() == 0 {
			return nil, modmul.ErrZeroModulus
		}
		return written(4, nil, y.Mod(y.Mul(y, x), n))
	}}, numeric{&wide256.Kind, 4, 0, -1, func(read []uint64) ([]uint64, error) {
		y, x, sum := relation.Number(read[:4]), relation.Number(read[4:8]), relation.Number(read[8:])
		if sum.Add(sum, y.Mul(y, x)).BitLen() > 544 {
			return nil, wide256.ErrOverflow
		}
		return written(wide256.AccumulatorWords, nil, sum)
	}})
}

// compare compares what an accelerator computes with the solution. It reports whether there is one.
func (n *numeric) compare(t *testing.T, read []uint64) bool {
	t.Helper()
	given := slices.Clone(read)
	got, err := n.kind.Result(read)
	want, wantErr := n.solve(read)
	if !slices.Equal(read, given) {
		t.Fatalf("%s changes what it reads, %x", n.kind.Name, given)
	}
	if !errors.Is(err, wantErr) || !slices.Equal(got, want) {
		t.Fatalf("%s of %x is %x (%v), want %x (%v)", n.kind.Name, read, got, err, want, wantErr)
	}
	return err == nil
}

// primes returns the primes of this size that accelerators know.
func (n *numeric) primes() []*big.Int {
	if n.size == field.Of256.Size {
		return field.Of256.Primes
	}
	return field.Of384.Primes
}

// edges returns the words of numbers near 0, near multiples of primes and near powers of two.
func (n *numeric) edges() (list [][]uint64) {
	around := []*big.Int{new(big.Int)}
	for _, p := range n.primes() {
		for k := range int64(12) {
			around = append(around, new(big.Int).Mul(p, big.NewInt(k)))
		}
		around = append(around, new(big.Int).Rsh(p, 1))
	}
	for k := uint(32); k <= 64*uint(n.size); k += 32 {
		around = append(around, new(big.Int).Lsh(big.NewInt(1), k))
	}
	for _, x := range around {
		for d := range int64(7) {
			if y := new(big.Int).Add(x, big.NewInt(d-3)); y.Sign() >= 0 && y.BitLen() <= 64*int(n.size) {
				list = append(list, relation.Words(y, int(n.size)))
			}
		}
	}
	return list
}

// draw returns what a call might read: edges and random numbers.
func (n *numeric) draw(r *rand.Rand, edges [][]uint64) (read []uint64) {
	for len(read) < n.kind.Read() {
		switch kind := r.IntN(8); {
		case len(read) == n.head:
			read = append(read, r.Uint64N(uint64(n.heads)+1))
		case kind < 3:
			for range n.size {
				read = append(read, []uint64{0, 1<<64 - 1, r.Uint64(), r.Uint64() & r.Uint64() & r.Uint64()}[r.IntN(4)])
			}
			if kind > 0 { // below all primes
				read[len(read)-1] >>= 3
			}
		case kind == 3 && n.head < len(read)-2*int(n.size): // the number before the one before
			read = append(read, read[len(read)-2*int(n.size):len(read)-int(n.size)]...)
		case kind == 4:
			read = append(read, relation.Words(n.primes()[r.IntN(len(n.primes()))], int(n.size))...)
		default:
			read = append(read, edges[r.IntN(len(edges))]...)
		}
	}
	return read[:n.kind.Read()]
}

// Accelerators compute what math/big computes, with the same errors.
func TestCompute(t *testing.T) {
	for _, n := range numerics() {
		t.Run(n.kind.Name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			edges, results := n.edges(), 0
			for range 4000 {
				if n.compare(t, n.draw(r, edges)) {
					results++
				}
			}
			if results < 400 {
				t.Errorf("%d calls have a result", results)
			}
		})
	}
}

// BenchmarkCompute measures calls with random numbers modulo the last of the primes, by accelerator and by operation or
// curve.
func BenchmarkCompute(b *testing.B) {
	for _, n := range numerics() {
		for head := range max(n.heads, 1) {
			r := rand.New(rand.NewPCG(5, 6))
			calls := make([][]uint64, 64)
			for i := range calls {
				read := make([]uint64, n.kind.Read())
				for i := range read {
					read[i] = r.Uint64() >> 4
				}
				if n.kind.Operands[0].Words == int(n.size)+1 { // a modulus, then the operation
					copy(read, relation.Words(n.primes()[len(n.primes())-1], int(n.size)))
				}
				if n.head >= 0 {
					read[n.head] = uint64(head)
				}
				if n.kind == &wide256.Kind {
					read[len(read)-1] = 0
				}
				calls[i] = read
			}
			b.Run(fmt.Sprintf("%s/%d", n.kind.Name, head), func(b *testing.B) {
				written := make([]uint64, n.kind.Written())
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					if err := n.kind.Compute(written, calls[i%len(calls)]); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// FuzzCompute compares what an accelerator computes from any words with the solution.
func FuzzCompute(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	kinds := numerics()
	for i, n := range kinds {
		for range 3 {
			var data []byte
			for _, word := range n.draw(r, n.edges()) {
				data = binary.LittleEndian.AppendUint64(data, word)
			}
			f.Add(byte(i), byte(0), data)
		}
	}
	f.Fuzz(func(t *testing.T, number, head byte, data []byte) {
		n := kinds[int(number)%len(kinds)]
		read := make([]uint64, n.kind.Read())
		for i := range read {
			var word [8]byte
			data = data[copy(word[:], data):]
			read[i] = binary.LittleEndian.Uint64(word[:])
		}
		if n.head >= 0 && int(head) <= n.heads {
			read[n.head] = uint64(head)
		}
		n.compare(t, read)
	})
}
