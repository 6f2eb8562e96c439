package goldilocks

import "github.com/chiasmus/chiasmus/prover/internal/cpufeature"

// These functions run a block operation with the active kernels over as many whole registers as fit, and return the
// number of elements processed.

// registers returns the number of elements per register and the number of registers that n elements fill. lanes is 0 if
// no kernel is active.
func registers(n int) (lanes, count int) {
	switch cpufeature.Active() {
	case cpufeature.AVX512:
		lanes = 8
	case cpufeature.AVX2:
		lanes = 4
	}
	if n < lanes || lanes == 0 {
		return 0, 0
	}
	return lanes, n / lanes
}

// w returns the address of the first word, as the kernels expect.
func w(a []Element) *uint64 { return (*uint64)(&a[0]) }

func addKernel(dst, a, b []Element) int {
	lanes, n := registers(len(dst))
	switch lanes {
	case 8:
		addAVX512(w(dst), w(a), w(b), n)
	case 4:
		addAVX2(w(dst), w(a), w(b), n)
	}
	return lanes * n
}

func subKernel(dst, a, b []Element) int {
	lanes, n := registers(len(dst))
	switch lanes {
	case 8:
		subAVX512(w(dst), w(a), w(b), n)
	case 4:
		subAVX2(w(dst), w(a), w(b), n)
	}
	return lanes * n
}

func mulKernel(dst, a, b []Element) int {
	lanes, n := registers(len(dst))
	switch lanes {
	case 8:
		mulAVX512(w(dst), w(a), w(b), n)
	case 4:
		mulAVX2(w(dst), w(a), w(b), n)
	}
	return lanes * n
}

func mulAddKernel(dst, a, b, c []Element) int {
	lanes, n := registers(len(dst))
	switch lanes {
	case 8:
		mulAddAVX512(w(dst), w(a), w(b), w(c), n)
	case 4:
		mulAddAVX2(w(dst), w(a), w(b), w(c), n)
	}
	return lanes * n
}

func addScalarKernel(dst, a []Element, s Element) int {
	lanes, n := registers(len(dst))
	switch lanes {
	case 8:
		addScalarAVX512(w(dst), w(a), n, uint64(s))
	case 4:
		addScalarAVX2(w(dst), w(a), n, uint64(s))
	}
	return lanes * n
}

func subFromScalarKernel(dst []Element, s Element, a []Element) int {
	lanes, n := registers(len(dst))
	switch lanes {
	case 8:
		subFromScalarAVX512(w(dst), w(a), n, uint64(s))
	case 4:
		subFromScalarAVX2(w(dst), w(a), n, uint64(s))
	}
	return lanes * n
}

func scaleKernel(dst, a []Element, s Element) int {
	lanes, n := registers(len(dst))
	switch lanes {
	case 8:
		scaleAVX512(w(dst), w(a), n, uint64(s))
	case 4:
		scaleAVX2(w(dst), w(a), n, uint64(s))
	}
	return lanes * n
}

func mulExtensionKernel(v, a, b ExtensionVector) int {
	lanes, n := registers(v.Len())
	switch {
	case lanes == 8 && cpufeature.MultiplyAdd():
		mulExtension52AVX512(w(v.C[0]), w(v.C[1]), w(v.C[2]), w(a.C[0]), w(a.C[1]), w(a.C[2]), w(b.C[0]),
			w(b.C[1]), w(b.C[2]), n)
	case lanes == 8:
		mulExtensionAVX512(w(v.C[0]), w(v.C[1]), w(v.C[2]), w(a.C[0]), w(a.C[1]), w(a.C[2]), w(b.C[0]),
			w(b.C[1]), w(b.C[2]), n)
	case lanes == 4:
		mulExtensionAVX2(w(v.C[0]), w(v.C[1]), w(v.C[2]), w(a.C[0]), w(a.C[1]), w(a.C[2]), w(b.C[0]), w(b.C[1]), w(b.C[2]), n)
	}
	return lanes * n
}

// mulScaleAddKernel sets v = a*b + s*m and reports whether it did.
func mulScaleAddKernel(v, a, b ExtensionVector, s Extension, m []Element) bool {
	lanes, n := registers(v.Len())
	if n == 0 || lanes*n != v.Len() || !cpufeature.MultiplyAdd() {
		return false
	}
	halves := halvesOf(s)
	mulScaleAddExtension52AVX512(w(v.C[0]), w(v.C[1]), w(v.C[2]), w(a.C[0]), w(a.C[1]), w(a.C[2]), w(b.C[0]), w(b.C[1]),
		w(b.C[2]), w(m), n, &halves[0])
	return true
}

// addProductsKernel adds a*b + c*m to v and reports whether it did.
func addProductsKernel(v, a, b, c ExtensionVector, m []Element) bool {
	lanes, n := registers(v.Len())
	if n == 0 || lanes*n != v.Len() || !cpufeature.MultiplyAdd() {
		return false
	}
	addProductsExtension52AVX512(w(v.C[0]), w(v.C[1]), w(v.C[2]), w(a.C[0]), w(a.C[1]), w(a.C[2]), w(b.C[0]), w(b.C[1]),
		w(b.C[2]), w(c.C[0]), w(c.C[1]), w(c.C[2]), w(m), n)
	return true
}

func scaleExtensionKernel(v, a ExtensionVector, s Extension) int {
	lanes, n := registers(v.Len())
	switch lanes {
	case 8:
		scaleExtensionAVX512(w(v.C[0]), w(v.C[1]), w(v.C[2]), w(a.C[0]), w(a.C[1]), w(a.C[2]), n, w(s[:]))
	case 4:
		scaleExtensionAVX2(w(v.C[0]), w(v.C[1]), w(v.C[2]), w(a.C[0]), w(a.C[1]), w(a.C[2]), n, w(s[:]))
	}
	return lanes * n
}

func scaleAddExtensionKernel(v ExtensionVector, s Extension, a []Element) int {
	lanes, n := registers(v.Len())
	switch lanes {
	case 8:
		scaleAddExtensionAVX512(w(v.C[0]), w(v.C[1]), w(v.C[2]), w(a), n, w(s[:]))
	case 4:
		scaleAddExtensionAVX2(w(v.C[0]), w(v.C[1]), w(v.C[2]), w(a), n, w(s[:]))
	}
	return lanes * n
}

func adjugateKernel(v ExtensionVector, norms []Element, a ExtensionVector) int {
	lanes, n := registers(v.Len())
	switch lanes {
	case 8:
		adjugateAVX512(w(v.C[0]), w(v.C[1]), w(v.C[2]), w(norms), w(a.C[0]), w(a.C[1]), w(a.C[2]), n)
	case 4:
		adjugateAVX2(w(v.C[0]), w(v.C[1]), w(v.C[2]), w(norms), w(a.C[0]), w(a.C[1]), w(a.C[2]), n)
	}
	return lanes * n
}

// dotKernels sums the products of each column with b over as many whole registers as fit, at most maxTerms.
func dotKernels(columns [][]Element, b []Element) (sums [3]Element, done int) {
	lanes, n := registers(len(b))
	n = min(n, maxTerms)
	var words [3 * 8]uint64
	switch {
	case lanes == 8 && len(columns) == 3 && cpufeature.MultiplyAdd():
		dotExtension52AVX512(&words[0], w(columns[0]), w(columns[1]), w(columns[2]), w(b), n)
	case lanes == 8 && len(columns) == 3:
		dotExtensionAVX512(&words[0], w(columns[0]), w(columns[1]), w(columns[2]), w(b), n)
	case lanes == 8:
		for j, column := range columns {
			dotAVX512(&words[j*lanes], w(column), w(b), n)
		}
	case lanes == 4:
		for j, column := range columns {
			dotAVX2(&words[j*lanes], w(column), w(b), n)
		}
	}
	for i, word := range words[:len(columns)*lanes] {
		sums[i/lanes] = sums[i/lanes].Add(Element(word))
	}
	return sums, lanes * n
}

// scalarLimbs has the 22-bit limbs of each coordinate of a scalar.
type scalarLimbs [3][3]uint64

func limbsOf(s Extension) (limbs scalarLimbs) {
	const mask = 1<<22 - 1
	for j, e := range s {
		limbs[j] = [3]uint64{uint64(e) & mask, uint64(e) >> 22 & mask, uint64(e) >> 44}
	}
	return limbs
}

// scalarHalves has the halves of each coordinate of a scalar, low half first.
type scalarHalves [6]uint64

func halvesOf(s Extension) (halves scalarHalves) {
	for c, word := range s {
		halves[2*c], halves[2*c+1] = uint64(word)&(1<<32-1), uint64(word)>>32
	}
	return halves
}

// combineKernel adds at most combineGroup columns, given by the addresses of their first elements.
func combineKernel(v ExtensionVector, scalars []Extension, columns []*uint64) int {
	lanes, n := registers(v.Len())
	if lanes == 8 && cpufeature.MultiplyAdd() {
		var halves [combineGroup]scalarHalves
		for c, s := range scalars {
			halves[c] = halvesOf(s)
		}
		combine52AVX512(w(v.C[0]), w(v.C[1]), w(v.C[2]), n, &columns[0], &halves[0][0], len(columns))
		return lanes * n
	}
	var limbs [combineGroup]scalarLimbs
	for c, s := range scalars {
		limbs[c] = limbsOf(s)
	}
	switch lanes {
	case 8:
		combineAVX512(w(v.C[0]), w(v.C[1]), w(v.C[2]), n, &columns[0], &limbs[0][0][0], len(columns))
	case 4:
		combineAVX2(w(v.C[0]), w(v.C[1]), w(v.C[2]), n, &columns[0], &limbs[0][0][0], len(columns))
	}
	return lanes * n
}
