package gpu

import (
	"sync"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/generate"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
)

// quotientPlans holds the generated code of tables by machine and table, which takes a tenth of a second to make.
var quotientPlans sync.Map

type planKey struct {
	machine string
	table   *air.Table
}

// quotientPlan is the generated code of a machine's table.
func quotientPlan(m *machine.Machine, table int) *generate.Quotient {
	key := planKey{m.Name, m.Tables[table]}
	if plan, ok := quotientPlans.Load(key); ok {
		return plan.(*generate.Quotient)
	}
	plan, _ := quotientPlans.LoadOrStore(key, generate.NewQuotient(m.Name, m.Tables[table]))
	return plan.(*generate.Quotient)
}

// quotientUnits are the units of all tables, and those that they share.
func quotientUnits(m *machine.Machine) []generate.Unit {
	units := []generate.Unit{generate.Shared()}
	for i := range m.Tables {
		units = append(units, quotientPlan(m, i).Units...)
	}
	return units
}

// quotientWeights are the weights of a plan's values, then those of the constraints on the running sum, as words.
func quotientWeights(t *air.Table, plan *generate.Quotient, challenge goldilocks.Extension) []uint64 {
	powers := make([]goldilocks.Extension, len(t.Constraints)+len(t.Batches)+3)
	power := goldilocks.Extension{1}
	for j := range powers {
		powers[j] = power
		power = power.Mul(challenge)
	}
	words := make([]uint64, 0, 3*(len(plan.Weights)+3))
	for _, w := range plan.Weights {
		words = appendExtension(words, powers[w.Constraint].MulBase(w.Coefficient))
	}
	for _, power := range powers[len(powers)-3:] {
		words = appendExtension(words, power)
	}
	return words
}

func appendExtension(words []uint64, e goldilocks.Extension) []uint64 {
	return append(words, uint64(e[0]), uint64(e[1]), uint64(e[2]))
}
