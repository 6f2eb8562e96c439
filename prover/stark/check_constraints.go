package stark

import (
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// constraints checks every table at z: the constraints there, folded with the
// powers of the challenge, are the quotient times the vanishing polynomial.
func (v *verification) constraints() error {
	for i, table := range v.key.Machine.Tables {
		folded, err := v.foldedConstraints(i)
		if err != nil {
			return reject(CheckQuotient, err)
		}
		zn := power(v.z, v.shape.LogHeights[i])
		quotient := quotientAt(v.proof.Openings[backend.Quotient][i].Current, zn)
		if folded != quotient.Mul(zn.SubBase(1)) {
			return rejectf(CheckQuotient, "table %s: the constraints at z are not the quotient times the vanishing polynomial", table.Name)
		}
	}
	return nil
}

// power is z^(2^log).
func power(z goldilocks.Extension, log int) goldilocks.Extension {
	for range log {
		z = z.Square()
	}
	return z
}

// joinCoordinates reads extension columns at an extension point: three values
// c0, c1, c2 are c0 + c1 w + c2 w^2.
func joinCoordinates(values []goldilocks.Extension) []goldilocks.Extension {
	joined := make([]goldilocks.Extension, len(values)/backend.ExtensionDegree)
	for i := range joined {
		c := values[backend.ExtensionDegree*i:]
		joined[i] = c[0].Add(c[1].Mul(goldilocks.Extension{0, 1})).Add(c[2].Mul(goldilocks.Extension{0, 0, 1}))
	}
	return joined
}

// quotientAt puts the quotient's halves together: q_0(z) + z^n q_1(z).
func quotientAt(values []goldilocks.Extension, zn goldilocks.Extension) goldilocks.Extension {
	parts := joinCoordinates(values)
	return parts[0].Add(zn.Mul(parts[1]))
}

// foldedConstraints evaluates all constraints of a table at z: its own, then
// LogUp's, weighed by the powers of the challenge in that order.
func (v *verification) foldedConstraints(i int) (goldilocks.Extension, error) {
	table := v.key.Machine.Tables[i]
	point := v.point(i)
	nodes, err := table.EvaluateExtension(&point)
	if err != nil {
		return goldilocks.Extension{}, err
	}
	values := make([]goldilocks.Extension, 0, len(table.Constraints))
	for _, constraint := range table.Constraints {
		values = append(values, nodes[constraint.Root])
	}
	if len(table.Interactions) > 0 {
		values = append(values, v.logUpConstraints(i, &point, nodes)...)
	}
	var folded goldilocks.Extension
	for j := len(values) - 1; j >= 0; j-- {
		folded = folded.Mul(v.constraint).Add(values[j])
	}
	return folded, nil
}

// point collects what a table's expressions read at z.
func (v *verification) point(i int) air.Point {
	opened := &v.proof.Openings
	point := air.Point{
		Main:     opened[backend.Main][i].Current,
		NextMain: opened[backend.Main][i].Next,
		Public:   v.proof.Public,
	}
	if preprocessed := opened[backend.Preprocessed]; preprocessed != nil {
		point.Preprocessed = preprocessed[i].Current
		point.NextPreprocessed = preprocessed[i].Next
	}
	logHeight := v.shape.LogHeights[i]
	last := goldilocks.RootOfUnity(logHeight).Inverse()
	vanishing := power(v.z, logHeight).SubBase(1)
	point.Transition = v.z.SubBase(last)
	point.First = vanishing.Mul(v.z.SubBase(1).Inverse())
	point.Last = vanishing.Mul(point.Transition.Inverse())
	return point
}

// logUpConstraints are a table's constraints on its auxiliary columns: one a
// batch, h prod d_i = sum of m_i prod over j != i of d_j; then those of the
// running sum S, which starts at 0, adds all h in every row and ends at
// the claimed sum.
func (v *verification) logUpConstraints(i int, point *air.Point, nodes []goldilocks.Extension) []goldilocks.Extension {
	table := v.key.Machine.Tables[i]
	auxiliary := v.proof.Openings[backend.Auxiliary][i]
	current := joinCoordinates(auxiliary.Current)
	sum, nextSum := current[len(table.Batches)], joinCoordinates(auxiliary.Next)[0]

	var values []goldilocks.Extension
	rowTotal := goldilocks.Extension{}
	for b, batch := range table.Batches {
		numerator, denominator := goldilocks.Extension{}, goldilocks.Extension{1}
		for _, member := range batch {
			interaction := table.Interactions[member]
			multiplicity, d := v.interactionAt(interaction, nodes)
			numerator = numerator.Mul(d).Add(multiplicity.Mul(denominator))
			denominator = denominator.Mul(d)
		}
		values = append(values, current[b].Mul(denominator).Sub(numerator))
		rowTotal = rowTotal.Add(current[b])
	}
	after := sum.Add(rowTotal)
	return append(values,
		point.First.Mul(sum),
		point.Transition.Mul(nextSum.Sub(after)),
		point.Last.Mul(after.Sub(v.proof.Claimed[i])),
	)
}

// interactionAt is an interaction's multiplicity, negative for a receiver, and
// its fingerprint.
func (v *verification) interactionAt(interaction air.Interaction, nodes []goldilocks.Extension) (multiplicity, denominator goldilocks.Extension) {
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
