package ntt

import (
	"math/bits"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// runGeneric runs the pass in pure Go.
func (p *pass) runGeneric() {
	radix := 1 << p.logRadix
	rows := p.scratch[:radix*tile]
	for t := range p.tiles {
		for r := range radix {
			*(*[tile]element)(rows[r*tile:]) = *(*[tile]element)(p.src[r*p.stride+t*p.srcStep:])
		}
		transformRows(rows, p.logRadix)
		for k := range radix {
			row := (*[tile]element)(rows[k*tile:])
			switch {
			case p.twiddles == nil:
			case p.shared:
				scaleTileRow(row, p.twiddles[t*p.twiddleStep+k])
			default:
				mulTileRow(row, (*[tile]element)(p.twiddles[t*p.twiddleStep+k*tile:]))
			}
			*(*[tile]element)(p.dst[p.offsets[k]+t*p.dstStep:]) = *row
		}
	}
}

// scaleRows sets row r of the tile dst to factors[r] times the row at src[r*stride]. It prefetches like a pass.
func scaleRows(dst, src []element, stride, ahead int, factors []element) {
	if scaleRowsKernel(dst, src, stride, ahead, factors) {
		return
	}
	for r, f := range factors {
		row := (*[tile]element)(dst[r*tile:])
		*row = *(*[tile]element)(src[r*stride:])
		scaleTileRow(row, f)
	}
}

func scaleTileRow(row *[tile]element, s element) {
	for i := range row {
		row[i] = row[i].Mul(s)
	}
}

func mulTileRow(row, by *[tile]element) {
	for i := range row {
		row[i] = row[i].Mul(by[i])
	}
}

// transformRows transforms each of the 8 columns of a tile; row k becomes output
// k. A radix of 8*b is b transforms of 8 points, whose output k0 of column r0 is
// multiplied by w^(r0*k0), followed by 8 transforms of b points.
func transformRows(rows []element, logRadix int) {
	switch logRadix {
	case 1, 2, 3:
		transformSmall(rows, 0, 1, logRadix)
		return
	}
	b := 1 << (logRadix - 3)
	for r0 := range b {
		transformSmall(rows, r0, b, 3)
	}
	roots := &radixRoots[logRadix]
	for k0 := 1; k0 < 8; k0++ {
		for r0 := 1; r0 < b; r0++ {
			scaleTileRow((*[tile]element)(rows[(k0*b+r0)*tile:]), roots[r0*k0])
		}
	}
	for k0 := range 8 {
		transformSmall(rows, k0*b, 1, logRadix-3)
	}
	transposeRows(rows, b)
}

// transposeRows moves row k0*b + k1 to row k0 + 8*k1.
func transposeRows(rows []element, b int) {
	var moved [maxRadix * tile]element
	for k0 := range 8 {
		for k1 := range b {
			*(*[tile]element)(moved[(k0+8*k1)*tile:]) = *(*[tile]element)(rows[(k0*b+k1)*tile:])
		}
	}
	copy(rows, moved[:])
}

// radixRoots[l][j] is RootOfUnity(l)^j.
var radixRoots = func() (roots [logMaxRadix + 1][maxRadix]element) {
	for l := range roots {
		w := element(1)
		for j := range roots[l] {
			roots[l][j] = w
			w = w.Mul(goldilocks.RootOfUnity(l))
		}
	}
	return roots
}()

// transformSmall transforms 2, 4 or 8 rows column by column. The first row is at index first, the others step rows
// apart.
func transformSmall(rows []element, first, step, log int) {
	step *= tile
	rows = rows[first*tile:]
	switch log {
	case 1:
		for i := range tile {
			rows[i], rows[i+step] = rows[i].Add(rows[i+step]), rows[i].Sub(rows[i+step])
		}
	case 2:
		for i := range tile {
			rows[i], rows[i+step], rows[i+2*step], rows[i+3*step] =
				transform4(rows[i], rows[i+step], rows[i+2*step], rows[i+3*step])
		}
	case 3:
		_ = rows[7*step+tile-1]
		for i := range tile {
			transform8(rows, i, step)
		}
	}
}

// transform4 returns the transform of 4 points: its root is 2^48.
func transform4(a0, a1, a2, a3 element) (b0, b1, b2, b3 element) {
	e0, e1 := a0.Add(a2), a1.Add(a3)
	f0, f1 := a0.Sub(a2), mul48(a1.Sub(a3))
	return e0.Add(e1), f0.Add(f1), e0.Sub(e1), f0.Sub(f1)
}

// transform8 returns the transform of the 8 points at rows[i + j*step]: its root is 2^24.
func transform8(rows []element, i, step int) {
	x0, x4 := rows[i], rows[i+4*step]
	x1, x5 := rows[i+step], rows[i+5*step]
	x2, x6 := rows[i+2*step], rows[i+6*step]
	x3, x7 := rows[i+3*step], rows[i+7*step]
	d0, d1 := x0.Sub(x4), mul24(x1.Sub(x5))
	d2, d3 := mul48(x2.Sub(x6)), mul72(x3.Sub(x7))
	s0, s1, s2, s3 := x0.Add(x4), x1.Add(x5), x2.Add(x6), x3.Add(x7)
	rows[i], rows[i+2*step], rows[i+4*step], rows[i+6*step] = transform4(s0, s1, s2, s3)
	rows[i+step], rows[i+3*step], rows[i+5*step], rows[i+7*step] = transform4(d0, d1, d2, d3)
}

// mul24, mul48 and mul72 multiply by powers of two. With e = 2^32 - 1, 2^64 = e
// and 2^96 = -1.
func mul24(a element) element {
	// a*2^24 = low + high*e.
	return addEpsilons(uint64(a)<<24, uint64(a)>>40)
}

func mul48(a element) element {
	// a*2^48 = low + middle*e - high: middle has 32 bits and high 16. A borrow
	// adds e too much, and leaves far more than e.
	low, borrow := bits.Sub64(uint64(a)<<48, uint64(a)>>48, 0)
	return addEpsilons(low-epsilon&-borrow, uint64(a)>>16&epsilon)
}

func mul72(a element) element {
	// a*2^72 = middle*e - high: high is a*2^-24 rounded down.
	middle, high := uint64(a)<<8&epsilon, uint64(a)>>24
	return element(middle<<32 - middle).Sub(element(high))
}

const epsilon uint64 = 1<<32 - 1

// addEpsilons returns x + n*e mod p for n below 2^32. It subtracts p - n*e = (n + 1) - (n + 1)*2^32 mod 2^64, which is
// in [2^32, p]. Without a borrow, at most 2^64 - 1 - 2^32 < p is left; after one, adding p, which equals subtracting e
// modulo 2^64, brings the difference below p.
func addEpsilons(x, n uint64) element {
	n++
	difference, borrow := bits.Sub64(x, n-n<<32, 0)
	return element(difference - epsilon&-borrow)
}
