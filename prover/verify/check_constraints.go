package verify

import (
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// constraints checks every class at z: its instances' constraints, folded with powers of the challenge, must equal the
// quotient times the vanishing polynomial.
func (v *verification) constraints() error {
	claimed := make([]goldilocks.Extension, len(v.shape.Instances))
	for k, i := range v.shape.Claiming() {
		claimed[i] = v.proof.Claimed[k]
	}
	for c, class := range v.shape.Classes {
		zn := power(v.z, class.LogHeight)
		var values []goldilocks.Extension
		for _, i := range class.Members {
			own, err := v.constraintsAt(i, zn, claimed[i])
			if err != nil {
				return reject(CheckQuotient, err)
			}
			values = append(values, own...)
		}
		var folded goldilocks.Extension
		for j := len(values) - 1; j >= 0; j-- {
			folded = folded.Mul(v.constraint).Add(values[j])
		}
		quotient := quotientAt(v.proof.Openings[protocol.Quotient][c].Current, zn)
		if folded != quotient.Mul(zn.SubBase(1)) {
			return rejectf(CheckQuotient,
				"instances of 2^%d rows: the constraints at z are not the quotient times the vanishing polynomial", class.LogHeight)
		}
	}
	return nil
}

// power returns z^(2^log).
func power(z goldilocks.Extension, log int) goldilocks.Extension {
	for range log {
		z = z.Square()
	}
	return z
}

// joinCoordinates combines coordinate columns at an extension point: c0, c1, c2 become c0 + c1 w + c2 w^2.
func joinCoordinates(values []goldilocks.Extension) []goldilocks.Extension {
	joined := make([]goldilocks.Extension, len(values)/protocol.ExtensionDegree)
	for i := range joined {
		c := values[protocol.ExtensionDegree*i:]
		joined[i] = c[0].Add(c[1].Mul(goldilocks.Extension{0, 1})).Add(c[2].Mul(goldilocks.Extension{0, 0, 1}))
	}
	return joined
}

// quotientAt combines the quotient's halves: q_0(z) + z^n q_1(z).
func quotientAt(values []goldilocks.Extension, zn goldilocks.Extension) goldilocks.Extension {
	parts := joinCoordinates(values)
	return parts[0].Add(zn.Mul(parts[1]))
}

// constraintsAt evaluates all constraints of an instance at z: first its table's, then LogUp's.
func (v *verification) constraintsAt(i int, zn, claimed goldilocks.Extension) ([]goldilocks.Extension, error) {
	table := v.shape.Table(i)
	point := v.point(i, zn)
	nodes, err := table.EvaluateExtension(&point)
	if err != nil {
		return nil, err
	}
	values := make([]goldilocks.Extension, 0, v.shape.Constraints(i))
	for _, constraint := range table.Constraints {
		values = append(values, nodes[constraint.Root])
	}
	if len(table.Interactions) > 0 {
		values = append(values, v.logUpConstraints(i, nodes, claimed)...)
	}
	return values, nil
}

// point collects the values that a table's expressions read at z.
func (v *verification) point(i int, zn goldilocks.Extension) air.Point {
	opened := &v.proof.Openings
	point := air.Point{
		Main:     opened[protocol.Main][i].Current,
		NextMain: opened[protocol.Main][i].Next,
		Public:   v.proof.Public.Values,
	}
	table := v.shape.Table(i)
	logHeight := v.shape.Instances[i].LogHeight
	if table.Kind != air.NoPreprocessed {
		preprocessed := opened[protocol.PreprocessedPhase(table)][i]
		point.Preprocessed, point.NextPreprocessed = preprocessed.Current, preprocessed.Next
	}
	for k := range table.Periodic {
		point.Periodic = append(point.Periodic, table.Periodic[k].At(v.z, logHeight))
	}
	last := goldilocks.RootOfUnity(logHeight).Inverse()
	vanishing := zn.SubBase(1)
	point.Transition = v.z.SubBase(last)
	point.First = vanishing.Mul(v.z.SubBase(1).Inverse())
	point.Last = vanishing.Mul(point.Transition.Inverse())
	return point
}

// logUpConstraints evaluates a table's constraints on its auxiliary columns, one per batch. For all batches but the
// last, A D = N with D = prod d_i and N = sum of m_i prod over j != i of d_j. The column of the last batch is the
// running sum S: in every row, with the first row following the last, S' = S + the sum of all A + N/D of the last batch
// - claimed/n. Summing over the rows cancels S, so all fractions sum to claimed.
func (v *verification) logUpConstraints(i int, nodes []goldilocks.Extension,
	claimed goldilocks.Extension) []goldilocks.Extension {
	table := v.shape.Table(i)
	auxiliary := v.proof.Openings[protocol.Auxiliary][i]
	current := joinCoordinates(auxiliary.Current)
	last := len(table.Batches) - 1
	rows := goldilocks.Element(v.shape.Rows(i))
	left := joinCoordinates(auxiliary.Next)[0].Sub(current[last]).Add(claimed.MulBase(rows.Inverse()))

	values := make([]goldilocks.Extension, 0, len(table.Batches))
	for b, batch := range table.Batches {
		numerator, denominator := goldilocks.Extension{}, goldilocks.Extension{1}
		for _, member := range batch {
			interaction := table.Interactions[member]
			multiplicity, d := v.interactionAt(interaction, nodes)
			numerator = numerator.Mul(d).Add(multiplicity.Mul(denominator))
			denominator = denominator.Mul(d)
		}
		column := left
		if b < last {
			column = current[b]
			left = left.Sub(column)
		}
		values = append(values, column.Mul(denominator).Sub(numerator))
	}
	return values
}

// interactionAt returns an interaction's multiplicity, negative for a receiver, and its fingerprint.
func (v *verification) interactionAt(interaction air.Interaction,
	nodes []goldilocks.Extension) (multiplicity, denominator goldilocks.Extension) {
	message := make([]goldilocks.Extension, len(interaction.Values))
	for j, id := range interaction.Values {
		message[j] = nodes[id]
	}
	multiplicity = nodes[interaction.Multiplicity]
	if interaction.Kind == air.Receive {
		multiplicity = multiplicity.Neg()
	}
	return multiplicity, fingerprint(v.logUp, interaction.Bus, message)
}
