package generate_test

import (
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/generate"
	"github.com/chiasmus/chiasmus/prover/machine/all"
)

func quotientText(q *generate.Quotient) string {
	var text strings.Builder
	for _, unit := range q.Units {
		text.WriteString(unit.Name)
		text.WriteString(unit.Text)
	}
	return text.String()
}

func TestQuotientTextIsTheSame(t *testing.T) {
	for _, name := range all.Names() {
		program, err := all.Lookup(name)
		fatal(t, err)
		for _, table := range program.Machine().Tables {
			first, second := generate.NewQuotient(name, table), generate.NewQuotient(name, table)
			if quotientText(first) != quotientText(second) {
				t.Errorf("table %s: two texts", table.Name)
			}
			if len(first.Weights) != len(second.Weights) {
				t.Errorf("table %s: %d weights, then %d", table.Name, len(first.Weights), len(second.Weights))
			}
		}
	}
}

// Every constraint and batch is weighted, and one that stays whole by exactly its power.
func TestQuotientWeighsEverything(t *testing.T) {
	table := everything(t)
	q := generate.NewQuotient("m", table)
	weighed := map[int]int{}
	for _, w := range q.Weights {
		weighed[w.Constraint]++
	}
	for i, c := range table.Constraints {
		if weighed[i] == 0 || c.Name != "packed" && weighed[i] != 1 {
			t.Errorf("constraint %q is weighed %d times", c.Name, weighed[i])
		}
	}
	if len(weighed) != len(table.Constraints)+len(table.Batches) {
		t.Errorf("%d weighed, want %d", len(weighed), len(table.Constraints)+len(table.Batches))
	}
}

// The generator must find the regularity of the Keccak machine: otherwise compilation takes minutes, and cells are
// loaded several times.
func TestKeccakBecomesFewLoops(t *testing.T) {
	program, err := all.Lookup("keccak")
	fatal(t, err)
	tables := map[string]*air.Table{}
	for _, table := range program.Machine().Tables {
		tables[table.Name] = table
	}
	for name, limit := range map[string]struct{ kernels, loads int }{
		"keccak-f": {6, 150}, // of 2,315 columns
		"sponge":   {12, 700},
	} {
		q := generate.NewQuotient("keccak", tables[name])
		text := quotientText(q)
		if loads := strings.Count(text, "= row.main"); len(q.Kernels) > limit.kernels || loads > limit.loads {
			t.Errorf("%s: %d kernels and %d loads in the text, want at most %d and %d", name, len(q.Kernels), loads,
				limit.kernels, limit.loads)
		}
	}
	for name, part := range map[string]string{"sponge": "= kept[entry[", "keccak-f": "add_product(packed4, "} {
		if !strings.Contains(quotientText(generate.NewQuotient("keccak", tables[name])), part) {
			t.Errorf("%s: %q is nowhere", name, part)
		}
	}
}
