package fri

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Chain is a folding chain from the verifier's perspective.
type Chain struct {
	LogSize  int                    // of the largest codeword
	Schedule []int                  // log arities
	Betas    []goldilocks.Extension // one per fold
	Final    []goldilocks.Extension // coefficients of the last polynomial
}

// foldError reports a codeword that is not the fold of its predecessor.
type foldError struct {
	Position uint64 // of the query
	Layer    int    // the layer whose opened row lacks the value; the number of folds means the final polynomial
	LogSize  int    // of that layer's codeword
}

func (e *foldError) Error() string {
	return fmt.Sprintf("query at position %d: FRI layer %d of size 2^%d does not hold the value that follows from the "+
		"codewords before it", e.Position, e.Layer, e.LogSize)
}

// Check follows one query from the largest codeword to the final polynomial. codeword returns the value of the DEEP
// codeword of a log size at an index, or false if there is no codeword of that size. row returns the opened row of a
// layer, whose length is the layer's arity. An inconsistency is a *foldError.
func (c *Chain) Check(position uint64, codeword func(logSize int, index uint64) (goldilocks.Extension, bool),
	row func(layer int, index uint64) []goldilocks.Extension) error {
	logSize, index := c.LogSize, position
	value, _ := codeword(logSize, index)
	for layer, logArity := range c.Schedule {
		entries := row(layer, index>>logArity)
		if entries[index&(1<<logArity-1)] != value {
			return &foldError{position, layer, logSize}
		}
		beta := c.Betas[layer]
		value = fold(entries, logSize, index>>logArity, beta)
		logSize -= logArity
		index >>= logArity
		if joining, ok := codeword(logSize, index); ok {
			value = value.Add(joining.Mul(beta.Exp(1 << logArity)))
		}
	}
	if evaluate(c.Final, Point(logSize, index)) != value {
		return &foldError{position, len(c.Schedule), logSize}
	}
	return nil
}
