package goldilocks

import "math/rand/v2"

// edges are the values where carries and borrows change.
var edges = []Element{
	0, 1, 2, 3, 7, 8,
	1<<31 - 1, 1 << 31, 1<<31 + 1,
	1<<32 - 2, 1<<32 - 1, 1 << 32, 1<<32 + 1, 1<<33 - 1, 1 << 33,
	1<<63 - 1, 1 << 63, 1<<63 + 1,
	Element(Modulus) - 1<<33, Element(Modulus) - 1<<32 - 1, Element(Modulus) - 1<<32, Element(Modulus) - 1<<32 + 1,
	Element(Modulus) - 1<<31, Element(Modulus) - 3, Element(Modulus) - 2, Element(Modulus) - 1,
	0x7fffffff_80000000, 0x7fffffff_80000001, 0xfffffffe_ffffffff, 0xfffffffe_00000000, 0xffffffff_00000000,
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)) }

// randomElement is uniform.
func randomElement(r *rand.Rand) Element { return Element(r.Uint64N(Modulus)) }

// sample is uniform half of the time, otherwise an edge.
func sample(r *rand.Rand) Element {
	if r.IntN(2) == 0 {
		return edges[r.IntN(len(edges))]
	}
	return randomElement(r)
}

func sampleVector(r *rand.Rand, n int) []Element {
	v := make([]Element, n)
	for i := range v {
		v[i] = sample(r)
	}
	return v
}

func sampleExtension(r *rand.Rand) Extension { return Extension{sample(r), sample(r), sample(r)} }

func sampleExtensionVector(r *rand.Rand, n int) ExtensionVector {
	return ExtensionVector{[3][]Element{sampleVector(r, n), sampleVector(r, n), sampleVector(r, n)}}
}
