package soundness

import (
	"errors"
	"fmt"
)

// Shape is what the bits of a proof depend on.
type Shape struct {
	LogBlowup      int // log2 of 1/rho
	Queries        int // positions drawn, with replacement
	GrindingBits   int // of the nonce drawn before them
	Tables         []Table
	PublicMessages int // bus messages that the verifier adds itself
	Folds          []Fold
}

// Table is one table of the machine, with the LogUp argument's share in it.
type Table struct {
	Name        string
	LogHeight   int // log2 of its rows
	Openings    int // pairs of a column and a point it is opened at, over all phases
	Constraints int // folded by powers of one challenge, LogUp's own included
	Degree      int // the highest of them, in trace columns
	Fractions   int // bus interactions a row
	Arity       int // values in the longest message of them
}

// Fold is one FRI round.
type Fold struct {
	LogSize  int  // log2 of the domain after the fold
	LogArity int  // log2 of how many values become one
	Joins    bool // a DEEP codeword of the new size is added, times beta^arity
}

// Chain lists the folds of a schedule of log arities over codewords of the
// given log sizes (with or without repeats).
func Chain(logSizes, logArities []int) ([]Fold, error) {
	if len(logSizes) == 0 {
		return nil, errors.New("soundness: a folding chain needs at least one codeword")
	}
	present := map[int]bool{}
	size := logSizes[0]
	for _, logSize := range logSizes {
		present[logSize] = true
		size = max(size, logSize)
	}
	delete(present, size)
	folds := make([]Fold, 0, len(logArities))
	for i, logArity := range logArities {
		if logArity < 1 || logArity > size {
			return nil, fmt.Errorf("soundness: fold %d has log arity %d, want 1 to %d", i+1, logArity, size)
		}
		size -= logArity
		folds = append(folds, Fold{LogSize: size, LogArity: logArity, Joins: present[size]})
		delete(present, size)
	}
	for logSize := range present {
		return nil, fmt.Errorf("soundness: the folding schedule %v skips the codeword of size 2^%d", logArities, logSize)
	}
	return folds, nil
}

// Validate says what is impossible about the shape, or nil.
func (s Shape) Validate() error {
	var errs []error
	check := func(what string, value, low, high int) {
		if value < low || value > high {
			errs = append(errs, fmt.Errorf("%s is %d, want %d to %d", what, value, low, high))
		}
	}
	check("log blowup", s.LogBlowup, 1, 32)
	check("queries", s.Queries, 1, 1<<20)
	check("grinding bits", s.GrindingBits, 0, 64)
	check("public messages", s.PublicMessages, 0, 1<<40)
	if len(s.Tables) == 0 {
		errs = append(errs, errors.New("there are no tables"))
	}
	for i, t := range s.Tables {
		in := func(what string) string { return fmt.Sprintf("table %d (%s): %s", i, t.Name, what) }
		check(in("log height"), t.LogHeight, 0, 32)
		check(in("openings"), t.Openings, 1, 1<<30)
		check(in("constraints"), t.Constraints, 1, 1<<30)
		check(in("degree"), t.Degree, 0, 1<<10)
		check(in("fractions"), t.Fractions, 0, 1<<30)
		check(in("arity"), t.Arity, 0, 1<<20)
	}
	for i, f := range s.Folds {
		check(fmt.Sprintf("fold %d: log size", i+1), f.LogSize, 0, 64)
		check(fmt.Sprintf("fold %d: log arity", i+1), f.LogArity, 1, 16)
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("soundness: %w", err)
	}
	return nil
}

// heights returns the distinct log heights, largest first.
func (s Shape) heights() []int {
	present := [64]bool{}
	for _, t := range s.Tables {
		present[t.LogHeight] = true
	}
	var heights []int
	for h := len(present) - 1; h >= 0; h-- {
		if present[h] {
			heights = append(heights, h)
		}
	}
	return heights
}
