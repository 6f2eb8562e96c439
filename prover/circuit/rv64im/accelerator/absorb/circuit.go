package absorb

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/keccakf"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

const (
	// LimbBytes is the number of bytes in a limb of a word.
	LimbBytes = 4
	// LowBytes is the number of a limb's bytes that have columns in the state.
	LowBytes = LimbBytes - 1
	// Outside is the number of bytes of the words that do not belong to the block.
	Outside = Words*wordBytes - BlockBytes

	mixedLimbs = BlockBytes / LimbBytes
)

// row is the row of a call.
type row struct {
	*air.Builder
	lookups accelerator.Lookups
	m       air.Expr

	shift, outside, block []air.Expr
}

func declare(buses *air.Buses, lookups accelerator.Lookups) accelerator.Circuit {
	p := keccakf.NewPermutations(buses, lookups, workTable)
	return accelerator.Circuit{
		Call: func(b *air.Builder, m, _ air.Expr, read, written []air.Expr) {
			words, state := read[2:2+2*Words], read[2+2*Words:]
			r := &row{Builder: b, lookups: lookups, m: m}
			r.shift = b.MainColumns("shift", Shifts)
			r.outside = b.MainColumns("outside", Outside)
			low := b.MainColumns("state", LowBytes*mixedLimbs)
			r.block = b.MainColumns("block", BlockBytes)
			r.shifts(read[0])
			r.selects(words)
			mixed := r.mix(low, state[:mixedLimbs])
			p.Call(b, m, append(mixed, state[mixedLimbs:]...), written)
		},
		Work: p.Work,
	}
}

// shifts declares the flag of the shift with this number.
func (r *row) shifts(number air.Expr) {
	sum := r.Constant(0)
	for k, flag := range r.shift {
		r.AssertBoolean(fmt.Sprintf("shift[%d] is boolean", k), flag)
		sum = sum.Add(flag.Scale(uint64(k)))
	}
	r.AssertEqual("a call has one shift", r.Sum(r.shift...), r.m)
	r.AssertEqual("the shift's number", number, sum)
}

// selects declares that the bytes of the block, between the bytes outside of it, are the bytes of the words.
func (r *row) selects(limbs []air.Expr) {
	for i := 0; i < Outside; i += 2 {
		r.lookups.Bytes(r.Builder, r.m, r.Constant(accelerator.OpNone), r.outside[i], r.outside[i+1], r.Constant(0))
	}
	for i, limb := range limbs {
		sum := r.Constant(0)
		for k, flag := range r.shift {
			var bytes [LimbBytes]air.Expr
			for j := range bytes {
				bytes[j] = r.byteOf(k, LimbBytes*i+j)
			}
			sum = sum.Add(flag.Mul(r.Pack(8, bytes[:]...)))
		}
		r.AssertEqual(fmt.Sprintf("limb %d of the words", i), limb, sum)
	}
}

// byteOf returns a byte of the words if the shift is k.
func (r *row) byteOf(k, i int) air.Expr {
	switch {
	case i < k:
		return r.outside[i]
	case i < k+BlockBytes:
		return r.block[i-k]
	}
	return r.outside[i-BlockBytes]
}

// mix declares the state's bytes, of which low has the lower three of each limb, and the mixed bytes. It returns the
// mixed limbs.
func (r *row) mix(low, limbs []air.Expr) (mixed []air.Expr) {
	bytes := r.MainColumns("mixed", BlockBytes)
	unit := r.ConstantElement(goldilocks.Element(1 << (8 * LowBytes)).Inverse())
	for i, limb := range limbs {
		of := append([]air.Expr{}, low[LowBytes*i:LowBytes*(i+1)]...)
		of = append(of, limb.Sub(r.Pack(8, of...)).Mul(unit))
		own := bytes[LimbBytes*i : LimbBytes*(i+1)]
		for j := range of {
			r.lookups.Bytes(r.Builder, r.m, r.Constant(accelerator.OpXor), of[j], r.block[LimbBytes*i+j], own[j])
		}
		mixed = append(mixed, r.Pack(8, own...))
	}
	return mixed
}
