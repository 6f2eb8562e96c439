package verify

import (
	"cmp"
	"fmt"

	"github.com/chiasmus/chiasmus/prover/fri"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// trees checks every opened row against the cap of its tree, in parallel over trees.
func (v *verification) trees() error {
	var checks []func() error
	caps := [protocol.PhaseCount][]merkle.Digest{v.key.Cap(protocol.Fixed), v.key.Cap(protocol.Program),
		v.proof.MainCap, v.proof.AuxiliaryCap, v.proof.QuotientCap}
	for phase, plan := range v.plans.Phases {
		opening := v.proof.Trees[phase]
		if plan == nil {
			if len(opening.Rows)+len(opening.Siblings) > 0 {
				return rejectf(CheckShape, "the proof opens %s columns, which machine %s does not have", protocol.Phase(phase),
					v.key.Machine.Name)
			}
			continue
		}
		checks = append(checks, func() error {
			if err := plan.Verify(caps[phase], opening); err != nil {
				return rejectf(CheckOpenings, "%s: %w", protocol.Phase(phase), err)
			}
			return nil
		})
	}
	for i, plan := range v.plans.Layers {
		checks = append(checks, func() error {
			if err := plan.Verify(v.proof.LayerCaps[i], v.proof.Layers[i]); err != nil {
				return rejectf(CheckLayers, "layer %d: %w", i, err)
			}
			return nil
		})
	}
	errs := make([]error, len(checks))
	v.effort.pool.Each(len(checks), func(i int) {
		if errs[i] = v.effort.err(); errs[i] == nil {
			errs[i] = checks[i]()
		}
	})
	return cmp.Or(errs...)
}

// folds checks every query: the DEEP codewords computed from the opened rows, through all folds, to the final
// polynomial.
func (v *verification) folds() error {
	classes := make(map[int]*heightClass)
	for i := range v.shape.Classes {
		if err := v.effort.err(); err != nil {
			return err
		}
		class := v.newHeightClass(i)
		class.evaluate(v.effort.pool)
		classes[class.logSize] = class
	}
	layers := make([]openedLayer, len(v.shape.Schedule))
	shift := 0
	for i, logArity := range v.shape.Schedule {
		shift += logArity
		layers[i] = openedLayer{drawOrder(v.plans.Positions, shift), v.proof.Layers[i].Rows[0]}
	}
	chain := v.chain()
	codeword := func(logSize int, index uint64) (goldilocks.Extension, bool) {
		class, ok := classes[logSize]
		if !ok {
			return goldilocks.Extension{}, false
		}
		return class.at(index), true
	}
	row := func(layer int, index uint64) []goldilocks.Extension { return layers[layer].row(index) }
	for i, position := range v.plans.Positions {
		if err := chain.Check(position, codeword, row); err != nil {
			return reject(CheckFolds, fmt.Errorf("query %d: %w", i, err))
		}
	}
	return nil
}

// drawOrder numbers the distinct shifted positions by first occurrence, the order of a tree's opened rows.
func drawOrder(positions []uint64, shift int) map[uint64]int {
	order := make(map[uint64]int)
	for _, position := range positions {
		if _, seen := order[position>>shift]; !seen {
			order[position>>shift] = len(order)
		}
	}
	return order
}

// openedLayer has the opened rows of one FRI layer.
type openedLayer struct {
	order map[uint64]int
	rows  merkle.Rows
}

func (l openedLayer) row(index uint64) []goldilocks.Extension {
	elements := l.rows.Row(l.order[index])
	entries := make([]goldilocks.Extension, len(elements)/protocol.ExtensionDegree)
	for i := range entries {
		entries[i] = goldilocks.Extension(elements[protocol.ExtensionDegree*i:])
	}
	return entries
}

// heightClass evaluates the DEEP codeword of all instances of one height at opened rows.
type heightClass struct {
	logSize int
	order   map[uint64]int
	z, gz   deepPoint
	parts   []deepPart
	values  []goldilocks.Extension // in the order of their indices
}

// deepPoint is an opening point, with the sum of coefficient times opened value over everything opened there.
type deepPoint struct {
	point, opened goldilocks.Extension
}

// deepPart is one matrix: its rows, the coefficients of its columns at z, and the columns read at the next row with
// their coefficients at g*z.
type deepPart struct {
	rows        merkle.Rows
	current     goldilocks.ExtensionVector
	nextColumns []int
	next        goldilocks.ExtensionVector
}

func (v *verification) newHeightClass(number int) *heightClass {
	logHeight := v.shape.Classes[number].LogHeight
	logSize := logHeight + v.shape.Params.LogBlowup
	class := &heightClass{logSize: logSize, order: drawOrder(v.plans.Positions, v.shape.MaxLogSize()-logSize)}
	class.z.point = v.z
	class.gz.point = v.z.MulBase(goldilocks.RootOfUnity(logHeight))
	for phase := range protocol.Phase(protocol.PhaseCount) {
		for k, matrix := range v.shape.Matrices(phase) {
			if matrix.LogHeight != logHeight {
				continue
			}
			opened, coefficients := v.proof.Openings[phase][matrix.Index], v.coefficients[phase][matrix.Index]
			class.z.add(coefficients.Current, opened.Current)
			class.gz.add(coefficients.Next, opened.Next)
			part := deepPart{rows: v.proof.Trees[phase].Rows[k], current: vectorOf(coefficients.Current),
				next: vectorOf(coefficients.Next)}
			if phase != protocol.Quotient {
				part.nextColumns = protocol.NextColumns(v.shape.Table(matrix.Index), phase)
			}
			class.parts = append(class.parts, part)
		}
	}
	return class
}

func vectorOf(list []goldilocks.Extension) goldilocks.ExtensionVector {
	v := goldilocks.NewExtensionVector(len(list))
	for i, e := range list {
		v.Set(i, e)
	}
	return v
}

func (p *deepPoint) add(coefficients, opened []goldilocks.Extension) {
	for i, c := range coefficients {
		p.opened = p.opened.Add(c.Mul(opened[i]))
	}
}

// evaluate computes all values on a pool's workers.
func (c *heightClass) evaluate(pool *parallel.Pool) {
	c.values = make([]goldilocks.Extension, len(c.order))
	indices := make([]uint64, len(c.order))
	for index, row := range c.order {
		indices[row] = index
	}
	pool.Each(len(indices), func(row int) { c.values[row] = c.compute(row, indices[row]) })
}

// at returns the value at an index.
func (c *heightClass) at(index uint64) goldilocks.Extension { return c.values[c.order[index]] }

// compute returns the sum over columns and points of coefficient * (f(x)-f(point)) / (x-point), where x is the point of
// the index.
func (c *heightClass) compute(row int, index uint64) goldilocks.Extension {
	var atZ, atGZ goldilocks.Extension
	for _, part := range c.parts {
		columns := part.rows.Row(row)
		atZ = atZ.Add(part.current.Dot(columns))
		next := make([]goldilocks.Element, len(part.nextColumns))
		for i, column := range part.nextColumns {
			next[i] = columns[column]
		}
		atGZ = atGZ.Add(part.next.Dot(next))
	}
	x := goldilocks.Generator.Mul(fri.Point(c.logSize, index))
	return c.z.quotient(atZ, x).Add(c.gz.quotient(atGZ, x))
}

// quotient returns (sum - opened) / (x - point). The point is not in Fp, so the denominator is not zero.
func (p *deepPoint) quotient(sum goldilocks.Extension, x goldilocks.Element) goldilocks.Extension {
	denominator := goldilocks.FromBase(x).Sub(p.point)
	return sum.Sub(p.opened).Mul(denominator.Inverse())
}
