package goldilocks

import "fmt"

// twoAdicRoot has order 2^32, and twoAdicRoot^(2^26) = 8. ethSTARK and Winterfell use the same root.
const twoAdicRoot Element = 7277203076849721926

// rootsOfUnity[k] has order 2^k.
var rootsOfUnity = func() (roots [TwoAdicity + 1]Element) {
	root := twoAdicRoot
	for k := TwoAdicity; k >= 0; k-- {
		roots[k] = root
		root = root.Square()
	}
	return roots
}()

// RootOfUnity returns the element of order 2^logOrder that generates the prover's subgroups. RootOfUnity(k) is the
// square of RootOfUnity(k+1), and RootOfUnity(6) is 8. It panics unless logOrder is in [0, TwoAdicity].
func RootOfUnity(logOrder int) Element {
	if logOrder < 0 || logOrder > TwoAdicity {
		panic(fmt.Sprintf("goldilocks: no root of unity of order 2^%d, logOrder must be in [0, %d]", logOrder, TwoAdicity))
	}
	return rootsOfUnity[logOrder]
}
