package soundness

import (
	"fmt"
	"math"
)

// Term is the analysis of one round.
type Term struct {
	Round   string // the sampled challenge
	Detail  string // the relevant figures of this shape
	Bits    float64
	Formula string // of the error
	Source  string // theorem and publication
	Others  []Bound
}

// Bound is the result of another theorem for the same term at the same m.
type Bound struct {
	Source string
	Bits   float64
}

// analysis is a regime at one agreement.
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

// logUp: the common numerator of the fractions is a non-zero polynomial of total degree at most (F-1) d in alpha and
// beta, and one of F fingerprints is zero for at most F/q of the alphas. Proofs that share the challenges have one list
// each, and every tuple counts.
func (a analysis) logUp() (Term, bool) {
	fractions, arity := float64(a.shape.PublicMessages)+float64(a.shape.OtherFractions), max(1, a.shape.PublicArity)
	fractions += float64(a.shape.Fractions())
	for _, i := range a.shape.Instances {
		arity = max(arity, i.Arity)
	}
	if fractions == 0 {
		return Term{}, false
	}
	proofs, detail, formula := max(1, a.shape.Proofs), "", "L ((F-1) d + F) / q"
	if proofs > 1 {
		detail, formula = fmt.Sprintf(", P = %d proofs", proofs), "L^P ((F-1) d + F) / q"
	}
	return Term{
		Round:   "LogUp challenges",
		Detail:  fmt.Sprintf("F = %.0f fractions, fingerprints of degree d = %d%s", fractions, arity, detail),
		Bits:    log2Q - float64(proofs)*math.Log2(a.list) - math.Log2((fractions-1)*float64(arity)+fractions),
		Formula: formula,
		Source:  "LogUp Lemma 5, Schwartz-Zippel",
	}, true
}

// constraints: if one constraint of an instance fails in a row, the combination of its class with powers of the
// challenge vanishes in that row for at most C-1 challenges.
func (a analysis) constraints() (Term, bool) {
	var most Class
	for _, c := range a.shape.Classes() {
		if c.Constraints > most.Constraints {
			most = c
		}
	}
	if most.Constraints < 2 {
		return Term{}, false
	}
	return Term{
		Round:   "constraint challenge",
		Detail:  fmt.Sprintf("C = %d constraints of %s", most.Constraints, most),
		Bits:    log2Q - math.Log2(a.list*float64(most.Constraints-1)),
		Formula: "L (C-1) / q",
		Source:  "Hab22 Theorem 8, powers of one challenge",
	}, true
}

// outOfDomain: a false quotient identity of a class has at most D k + 2 roots, because the committed polynomials have
// degree at most k and the transition selector adds one for each of at most two factors. The quotient has two parts, so
// D is at least 3.
func (a analysis) outOfDomain() (Term, bool) {
	degree, at := 0.0, Class{}
	for _, c := range a.shape.Classes() {
		if d := float64(max(c.Degree, 3))*math.Exp2(float64(c.LogHeight)) + transitions; d > degree {
			degree, at = d, c
		}
	}
	return Term{
		Round:   "out-of-domain point",
		Detail:  fmt.Sprintf("D = %d, k = 2^%d", max(at.Degree, 3), at.LogHeight),
		Bits:    log2OutOfDomain - math.Log2(a.list*degree),
		Formula: "L (D k + 2) / (q - p)",
		Source:  "Hab22 Theorem 8 (DEEP-ALI)",
	}, true
}

// transitions is the maximum number of transition selector factors in a constraint.
const transitions = 2

// batching: each height class has one codeword, a sum with independent coefficients. A random line through the sampled
// point reduces it to a line, for an additional 1/q.
func (a analysis) batching() (Term, bool) {
	classes, openings := a.shape.Classes(), 0
	for _, c := range classes {
		openings += c.Openings
	}
	count := func(bound theorem) float64 {
		sum := 0.0
		for _, c := range classes {
			sum += math.Exp2(bound.gap(a.agreement, c.LogHeight+a.shape.LogBlowup)) + 1
		}
		return math.Log2(sum)
	}
	return Term{
		Round: "DEEP coefficients",
		Detail: fmt.Sprintf("%d independent, %d heights, largest n = 2^%d", openings, len(classes),
			classes[0].LogHeight+a.shape.LogBlowup),
		Bits:    log2Q - count(a.proximity),
		Formula: "sum over heights of (g(n) + 1) / q",
		Source:  a.proximity.name,
		Others:  a.otherBounds(count),
	}, true
}

// fold: beta's powers 0 to l form a curve of degree l: arity-1, or arity if a codeword joins.
func (a analysis) fold(i int) Term {
	f := a.shape.Folds[i]
	degree, joins := 1<<f.LogArity-1, ""
	if f.joins {
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

// queries: each query misses with probability alpha, and a retry costs the grinding.
func (a analysis) queries() Term {
	return Term{
		Round: "queries",
		Detail: fmt.Sprintf("s = %d, alpha = %.6f, %d bits of grinding", a.shape.Queries, a.agreement.alpha,
			a.shape.GrindingBits),
		Bits:    float64(a.shape.GrindingBits) - float64(a.shape.Queries)*math.Log2(a.agreement.alpha),
		Formula: "alpha^s 2^-grinding",
		Source:  "Hab22 Theorem 2, ethSTARK (grinding)",
	}
}
