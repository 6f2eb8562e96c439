package kernelgen

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// vectorKernels generates the block operations of package goldilocks. The parameter n counts registers, not elements,
// and is at least 1.
func vectorKernels(set instructionSet) ([]file, error) {
	b := newBuilder(set)
	b.blockKernels()
	b.scalarKernels()
	b.extensionKernels()
	b.adjugateKernel()
	b.sumKernels()
	b.multiplyAddKernels()
	return b.files("prover/goldilocks", "vector", "goldilocks")
}

// overVectors runs body for every register of the slices at the pointers, with a common index.
func (b *builder) overVectors(pointers []string, body func(index reg.Register, p []reg.GPVirtual)) {
	b.loopVectors(pointers, body)
	b.end()
}

// loopVectors is overVectors without the end of the kernel.
func (b *builder) loopVectors(pointers []string, body func(index reg.Register, p []reg.GPVirtual)) {
	var p []reg.GPVirtual
	for _, name := range pointers {
		p = append(p, b.argument(name))
	}
	n, index := b.argument("n"), b.GP64()
	b.XORQ(index, index)
	b.countdown(n, func() {
		body(index, p)
		b.ADDQ(operand.U32(uint32(b.width())), index)
	})
}

func (b *builder) blockKernels() {
	binary := func(name, doc string, f func(x, y value) value) {
		b.kernel(name, "(dst, a, b *uint64, n int)", doc)
		b.overVectors([]string{"dst", "a", "b"}, func(i reg.Register, p []reg.GPVirtual) {
			b.store(f(b.load(atIndex(p[1], i, 0)), b.load(atIndex(p[2], i, 0))), atIndex(p[0], i, 0))
		})
	}
	binary("add", "sets dst = a + b.", b.add)
	binary("sub", "sets dst = a - b.", b.sub)
	binary("mul", "sets dst = a * b.", b.mul)

	b.kernel("mulAdd", "(dst, a, b, c *uint64, n int)", "sets dst = a*b + c.")
	b.overVectors([]string{"dst", "a", "b", "c"}, func(i reg.Register, p []reg.GPVirtual) {
		product := b.mul(b.load(atIndex(p[1], i, 0)), b.load(atIndex(p[2], i, 0)))
		b.store(b.add(product, b.load(atIndex(p[3], i, 0))), atIndex(p[0], i, 0))
	})
}

// scalarKernels generates the operations of a vector with one scalar.
func (b *builder) scalarKernels() {
	scalar := func(name, doc string, f func(x, s, sh value) value) {
		b.kernel(name, "(dst, a *uint64, n int, s uint64)", doc)
		s := b.broadcastArgument("s")
		sh := b.highHalf(s)
		b.overVectors([]string{"dst", "a"}, func(i reg.Register, p []reg.GPVirtual) {
			b.store(f(b.load(atIndex(p[1], i, 0)), s, sh), atIndex(p[0], i, 0))
		})
	}
	scalar("addScalar", "sets dst = a + s.", func(x, s, sh value) value { return b.add(s, x) })
	scalar("subFromScalar", "sets dst = s - a.", func(x, s, sh value) value { return b.sub(s, x) })
	scalar("scale", "sets dst = s * a.", func(x, s, sh value) value { return b.mulBy(x, s, sh) })
}

func (b *builder) broadcastArgument(name string) value {
	v := b.vector()
	s := b.argument(name)
	if b.set == avx512 {
		b.VPBROADCASTQ(s, v)
		return v
	}
	x := b.XMM()
	b.MOVQ(s, x)
	b.VPBROADCASTQ(x, v)
	return v
}

// extensionKernels generates products in Fp[w]/(w^3 - 2) over three columns.
func (b *builder) extensionKernels() {
	// The coordinates a0, a1, a2, their sums in pairs and the products of all of these: Karatsuba's method, six
	// multiplications.
	product := func(x, y [3]func() value, store func(j int, v value)) {
		mul := func(i, j int) value {
			if i == j {
				return b.mul(x[i](), y[i]())
			}
			return b.mul(b.add(x[i](), x[j]()), b.add(y[i](), y[j]()))
		}
		v0, v1, v2 := mul(0, 0), mul(1, 1), mul(2, 2)
		// a1*b2 + a2*b1 has weight 3 and reduces to its double.
		store(0, b.add(v0, b.double(b.sub(b.sub(mul(1, 2), v1), v2))))
		store(1, b.add(b.sub(b.sub(mul(0, 1), v0), v1), b.double(v2)))
		store(2, b.add(b.sub(b.sub(mul(0, 2), v0), v2), v1))
	}
	names := func(prefix string) []string { return []string{prefix + "0", prefix + "1", prefix + "2"} }
	dst, a, o := names("dst"), names("a"), names("b")

	// The results stay in registers until all coordinates are read, because dst may be a source.
	storeAll := func(i reg.Register, p []reg.GPVirtual, run func(store func(int, value))) {
		var results [3]value
		run(func(j int, v value) { results[j] = v })
		for j, v := range results {
			b.store(v, atIndex(p[j], i, 0))
		}
	}
	coordinates := func(i reg.Register, p []reg.GPVirtual) (c [3]func() value) {
		for j := range c {
			c[j] = func() value { return b.load(atIndex(p[j], i, 0)) }
		}
		return c
	}

	b.kernel("mulExtension", "(dst0, dst1, dst2, a0, a1, a2, b0, b1, b2 *uint64, n int)",
		"sets dst = a * b for extension elements by coordinates.")
	b.overVectors(append(append(dst, a...), o...), func(i reg.Register, p []reg.GPVirtual) {
		storeAll(i, p, func(store func(int, value)) {
			product(coordinates(i, p[3:]), coordinates(i, p[6:]), store)
		})
	})

	b.kernel("scaleExtension", "(dst0, dst1, dst2, a0, a1, a2 *uint64, n int, s *uint64)",
		"sets dst = s * a for the extension element at s.")
	s := b.argument("s")
	var scalar [3]func() value
	for j := range scalar {
		scalar[j] = func() value { return b.broadcast(at(s, 8*j)) }
	}
	b.overVectors(append(dst, a...), func(i reg.Register, p []reg.GPVirtual) {
		storeAll(i, p, func(store func(int, value)) {
			product(coordinates(i, p[3:]), scalar, store)
		})
	})

	b.kernel("scaleAddExtension", "(dst0, dst1, dst2, a *uint64, n int, s *uint64)",
		"sets dst += s * a for base elements a and the extension element at s.")
	s = b.argument("s")
	b.overVectors(append(dst, "a"), func(i reg.Register, p []reg.GPVirtual) {
		x := b.load(atIndex(p[3], i, 0))
		for j := range 3 {
			sum := b.add(b.mul(x, b.broadcast(at(s, 8*j))), b.load(atIndex(p[j], i, 0)))
			b.store(sum, atIndex(p[j], i, 0))
		}
	})
}

// adjugateKernel generates the part of inversions in the extension that needs no base inverse: for each element a, its
// norm and c = norm / a.
func (b *builder) adjugateKernel() {
	b.kernel("adjugate", "(dst0, dst1, dst2, norms, a0, a1, a2 *uint64, n int)",
		"sets dst to the adjugate of multiplication by extension elements a, and norms to the norms: 1/a = dst / norm.")
	b.overVectors([]string{"dst0", "dst1", "dst2", "norms", "a0", "a1", "a2"}, func(i reg.Register, p []reg.GPVirtual) {
		a := func(j int) value { return b.load(atIndex(p[4+j], i, 0)) }
		mul := func(j, k int) value { return b.mul(a(j), a(k)) }
		c0 := b.sub(mul(0, 0), b.double(mul(1, 2)))
		c1 := b.sub(b.double(mul(2, 2)), mul(0, 1))
		c2 := b.sub(mul(1, 1), mul(0, 2))
		norm := b.add(b.mul(a(0), c0), b.double(b.add(b.mul(a(1), c2), b.mul(a(2), c1))))
		for j, v := range []value{c0, c1, c2, norm} {
			b.store(v, atIndex(p[j], i, 0))
		}
	})
}
