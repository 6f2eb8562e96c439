package soundness

import (
	"fmt"
	"math"
)

// Term is one round's bits.
type Term struct {
	Round   string // what is drawn
	Detail  string // the figures of this shape that decide it
	Bits    float64
	Formula string // of the error
	Source  string // theorem and publication
	Others  []Bound
}

// Bound is what another theorem gives for the same term at the same m.
type Bound struct {
	Source string
	Bits   float64
}

// analysis is one regime at one agreement.
type analysis struct {
	shape     Shape
	agreement agreement
	list      float64 // L
	proximity theorem
	others    []theorem
}

func (a analysis) terms() []Term {
	terms := make([]Term, 0, 5+len(a.shape.Folds))
	for _, round := range []func() (Term, bool){a.logUp, a.constraints, a.outOfDomain, a.batching} {
		if term, ok := round(); ok {
			terms = append(terms, term)
		}
	}
	for i := range a.shape.Folds {
		terms = append(terms, a.fold(i))
	}
	return append(terms, a.queries())
}

// logUp: the fractions' common numerator is a non-zero polynomial of total degree at
// most (F-1) d in alpha and beta, and one of F fingerprints is zero for at most
// F/q of the alphas.
func (a analysis) logUp() (Term, bool) {
	fractions, arity := float64(a.shape.PublicMessages), 1
	for _, t := range a.shape.Tables {
		fractions += float64(t.Fractions) * math.Exp2(float64(t.LogHeight))
		arity = max(arity, t.Arity)
	}
	if fractions == 0 {
		return Term{}, false
	}
	return Term{
		Round:   "LogUp challenges",
		Detail:  fmt.Sprintf("F = %.0f fractions, fingerprints of degree d = %d", fractions, arity),
		Bits:    log2Q - math.Log2(a.list*((fractions-1)*float64(arity)+fractions)),
		Formula: "L ((F-1) d + F) / q",
		Source:  "LogUp Lemma 5, Schwartz-Zippel",
	}, true
}

// constraints: if one constraint of a table fails, its combination with powers of
// the challenge vanishes for at most C-1 challenges.
func (a analysis) constraints() (Term, bool) {
	most := a.shape.Tables[0]
	for _, t := range a.shape.Tables {
		if t.Constraints > most.Constraints {
			most = t
		}
	}
	if most.Constraints < 2 {
		return Term{}, false
	}
	return Term{
		Round:   "constraint challenge",
		Detail:  fmt.Sprintf("C = %d constraints in table %s", most.Constraints, most.Name),
		Bits:    log2Q - math.Log2(a.list*float64(most.Constraints-1)),
		Formula: "L (C-1) / q",
		Source:  "Hab22 Theorem 8, powers of one challenge",
	}, true
}

// outOfDomain: a false quotient identity of a table has at most D k + 2 roots, the
// committed polynomials having degree at most k: the transition selector is a factor twice
// at most and adds one each time. The quotient has two parts, so D is at least 3.
func (a analysis) outOfDomain() (Term, bool) {
	degree, at := 0.0, Table{}
	for _, t := range a.shape.Tables {
		if d := float64(max(t.Degree, 3))*math.Exp2(float64(t.LogHeight)) + transitions; d > degree {
			degree, at = d, t
		}
	}
	return Term{
		Round:   "out-of-domain point",
		Detail:  fmt.Sprintf("D = %d, k = 2^%d in table %s", max(at.Degree, 3), at.LogHeight, at.Name),
		Bits:    log2OutOfDomain - math.Log2(a.list*degree),
		Formula: "L (D k + 2) / (q - p)",
		Source:  "Hab22 Theorem 8 (DEEP-ALI)",
	}, true
}

// transitions is how often the transition selector may be a factor of a constraint.
const transitions = 2

// batching: each height class has one codeword, a sum with independent coefficients.
// A random line through the point drawn reduces it to a line, for one more 1/q.
func (a analysis) batching() (Term, bool) {
	heights, openings := a.shape.heights(), 0
	for _, t := range a.shape.Tables {
		openings += t.Openings
	}
	count := func(bound theorem) float64 {
		sum := 0.0
		for _, h := range heights {
			sum += math.Exp2(bound.gap(a.agreement, h+a.shape.LogBlowup)) + 1
		}
		return math.Log2(sum)
	}
	return Term{
		Round:   "DEEP coefficients",
		Detail:  fmt.Sprintf("%d independent, %d heights, largest n = 2^%d", openings, len(heights), heights[0]+a.shape.LogBlowup),
		Bits:    log2Q - count(a.proximity),
		Formula: "sum over heights of (g(n) + 1) / q",
		Source:  a.proximity.name,
		Others:  a.otherBounds(count),
	}, true
}

// fold: beta's powers 0 to l make a curve of degree l, arity-1 or, where a codeword
// joins, arity.
func (a analysis) fold(i int) Term {
	f := a.shape.Folds[i]
	degree, joins := 1<<f.LogArity-1, ""
	if f.Joins {
		degree, joins = degree+1, ", one joins"
	}
	count := func(bound theorem) float64 {
		return math.Log2(float64(degree)) + bound.gap(a.agreement, f.LogSize)
	}
	return Term{
		Round:   fmt.Sprintf("FRI fold %d", i+1),
		Detail:  fmt.Sprintf("arity %d%s, l = %d, to n = 2^%d", 1<<f.LogArity, joins, degree, f.LogSize),
		Bits:    log2Q - count(a.proximity),
		Formula: "l g(n) / q",
		Source:  a.proximity.name,
		Others:  a.otherBounds(count),
	}
}

func (a analysis) otherBounds(count func(theorem) float64) []Bound {
	var bounds []Bound
	for _, other := range a.others {
		bounds = append(bounds, Bound{Source: other.name, Bits: log2Q - count(other)})
	}
	return bounds
}

// queries: each query misses with probability alpha, and a retry costs the
// grinding.
func (a analysis) queries() Term {
	return Term{
		Round:   "queries",
		Detail:  fmt.Sprintf("s = %d, alpha = %.6f, %d bits of grinding", a.shape.Queries, a.agreement.alpha, a.shape.GrindingBits),
		Bits:    float64(a.shape.GrindingBits) - float64(a.shape.Queries)*math.Log2(a.agreement.alpha),
		Formula: "alpha^s 2^-grinding",
		Source:  "Hab22 Theorem 2, ethSTARK (grinding)",
	}
}
