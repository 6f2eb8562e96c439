package soundness

import (
	"errors"
	"fmt"
	"slices"
)

// Shape has the inputs of the analysis.
type Shape struct {
	LogBlowup    int // log2 of 1/rho
	Queries      int // sampled positions, with replacement
	GrindingBits int // of the nonce that precedes them
	Instances    []Instance
	Folds        []Fold

	PublicMessages int // bus messages that the verifier adds
	PublicArity    int // number of values in the longest of them

	// Proofs is P, the number of proofs that share LogUp's challenges and balance together. 0 means 1. OtherFractions
	// counts the fractions of the other proofs.
	Proofs         int
	OtherFractions int
}

// Instance is one instance of a table, including its share of LogUp.
type Instance struct {
	Name        string // of the table
	LogHeight   int    // log2 of its rows
	Openings    int    // pairs of a column and an opening point, over all phases but the quotient
	Constraints int    // including LogUp's
	Degree      int    // the maximum, in trace columns
	Fractions   int    // bus interactions per row
	Arity       int    // number of values in the longest message
}

// Fractions returns the total number of fractions: interactions per row times rows, over all instances.
func (s Shape) Fractions() int {
	total := 0
	for _, i := range s.Instances {
		total += i.Fractions << i.LogHeight
	}
	return total
}

// Class has all instances of one height. They share a domain, one quotient and one DEEP codeword.
type Class struct {
	LogHeight   int
	Instances   int
	Openings    int // of all instances and of the quotient
	Constraints int // of all instances, weighted by powers of one challenge
	Degree      int // the maximum
}

func (c Class) String() string {
	if c.Instances == 1 {
		return fmt.Sprintf("an instance of 2^%d rows", c.LogHeight)
	}
	return fmt.Sprintf("%d instances of 2^%d rows", c.Instances, c.LogHeight)
}

// quotientOpenings is the number of openings of a class's quotient: three coordinates of two parts, at z.
const quotientOpenings = 6

// Classes groups the instances by height, tallest first.
func (s Shape) Classes() []Class {
	var byHeight [maxLogHeight + 1]Class
	for _, i := range s.Instances {
		c := &byHeight[i.LogHeight]
		c.LogHeight = i.LogHeight
		c.Instances++
		c.Openings += i.Openings
		c.Constraints += i.Constraints
		c.Degree = max(c.Degree, i.Degree)
	}
	var classes []Class
	for _, c := range slices.Backward(byHeight[:]) {
		if c.Instances > 0 {
			c.Openings += quotientOpenings
			classes = append(classes, c)
		}
	}
	return classes
}

// maxLogHeight is the limit from the field's two-adicity at the smallest blowup.
const maxLogHeight = 31

// Fold is one FRI round.
type Fold struct {
	LogSize  int  // log2 of the domain after the fold
	LogArity int  // log2 of the number of values that become one
	joins    bool // a DEEP codeword of the new size is added, times beta^arity
}

// Chain lists the folds of a schedule of log arities over codewords of the given log sizes, which may repeat.
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
		folds = append(folds, Fold{LogSize: size, LogArity: logArity, joins: present[size]})
		delete(present, size)
	}
	for logSize := range present {
		return nil, fmt.Errorf("soundness: the folding schedule %v skips the codeword of size 2^%d", logArities, logSize)
	}
	return folds, nil
}

// limit is a number with its allowed range.
type limit struct {
	what             string
	value, low, high int
}

// exceeded returns errors for the numbers out of range. where precedes their names.
func exceeded(where string, limits ...limit) (errs []error) {
	for _, l := range limits {
		if l.value < l.low || l.value > l.high {
			errs = append(errs, fmt.Errorf("%s%s is %d, want %d to %d", where, l.what, l.value, l.low, l.high))
		}
	}
	return errs
}

// Validate returns an error that lists everything invalid about the shape.
func (s Shape) Validate() error {
	errs := exceeded("",
		limit{"log blowup", s.LogBlowup, 1, 32},
		limit{"queries", s.Queries, 1, 1 << 20},
		limit{"grinding bits", s.GrindingBits, 0, 64},
		limit{"public messages", s.PublicMessages, 0, 1 << 40},
		limit{"arity of public messages", s.PublicArity, 0, 1 << 20},
		limit{"proofs", s.Proofs, 0, 1 << 20},
		limit{"fractions of other proofs", s.OtherFractions, 0, 1 << 52})
	if len(s.Instances) == 0 {
		errs = append(errs, errors.New("there are no instances"))
	}
	for n, i := range s.Instances {
		errs = append(errs, exceeded(fmt.Sprintf("instance %d (%s): ", n, i.Name),
			limit{"log height", i.LogHeight, 0, maxLogHeight},
			limit{"openings", i.Openings, 1, 1 << 30},
			limit{"constraints", i.Constraints, 1, 1 << 30},
			limit{"degree", i.Degree, 0, 1 << 10},
			limit{"fractions", i.Fractions, 0, 1 << 30},
			limit{"arity", i.Arity, 0, 1 << 20})...)
	}
	for i, f := range s.Folds {
		errs = append(errs, exceeded(fmt.Sprintf("fold %d: ", i+1), limit{"log size", f.LogSize, 0, 64},
			limit{"log arity", f.LogArity, 1, 16})...)
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("soundness: %w", err)
	}
	return nil
}
