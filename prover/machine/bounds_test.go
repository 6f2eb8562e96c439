package machine_test

import (
	"context"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine/all"
	"github.com/chiasmus/chiasmus/prover/machine/tour"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/run"
)

// argued are the multiplicities whose bound needs an argument beyond a constraint on a column, and where that argument
// is.
var argued = map[string]string{
	"keccak/sponge sends on keccak-f": "active: sponge.go, point 1",
	"keccak/keccak-f receives on keccak-f": "the first rows' flag is a digit of a one-hot counter times a periodic " +
		"column of 0 and 1, permutation.go; export is boolean",

	"rv64im/SHI sends on SGN":              programFlag,
	"rv64im/SHR sends on SGN":              programFlag,
	"rv64im/MULH sends on R16":             programFlag,
	"rv64im/MULH sends on SGN":             programFlag,
	"rv64im/DIV sends on R16":              programFlag,
	"rv64im/DIV sends on SGN":              programFlag,
	"rv64im/UNAL receives on M":            crosses,
	"rv64im/UNAL sends on M":               crosses,
	"rv64im/UNAL sends on R20":             crosses,
	"rv64im/KECCAKF receives on KECCAKF":   "as keccak-f's",
	"rv64im/ABSORBF receives on ABSORBF":   "as keccak-f's",
	"rv64im/SHA256F receives on SHA256S":   onePlace,
	"rv64im/SHA256F receives on SHA256B":   onePlace,
	"rv64im/BLAKE3F receives on BLAKE3P":   onePlace,
	"rv64im/BLAKE2BF receives on BLAKE2BP": onePlace,
	"rv64im/FIELD256 sends on R16": "root is a sum of booleans, so at least 0, and m less the booleans inverse and " +
		"multiply, so at most 1: field/circuit.go",
	"rv64im/CALL sends on CALL": "m less note: both are boolean, and note (1 - m) = 0, tables/calls.go",

	"rv64im/IMAGE receives on M": "sel is the program's own column of 0 and 1, which its id stands for",
	"rv64im/IMAGE sends on M":    "the same",
}

const (
	programFlag = "m, which is boolean, times a constant of the program's row, 0 or 1: where m is 1 the row is one of " +
		"PROGRAM's"
	onePlace = "a sum of places: the first is boolean, each other the one before it in the row before, and all of a " +
		"row add up to 0 or 1: rounds.go"
	crosses = "c is a sum of products of flags of which one width and one offset is set where m is 1, and none " +
		"where it is 0: unaligned.go"
)

// The soundness computation uses declared bounds, and nothing derives them from the constraints. So each multiplicity
// with a bound is a constant, an expression that a constraint makes boolean, or has a written argument.
func TestBoundsFollowFromConstraints(t *testing.T) {
	used := map[string]bool{}
	ofPrograms, err := all.Machine(statement.Name)
	if err != nil {
		t.Fatal(err)
	}
	machines := []*circuit.Machine{ofPrograms}
	for _, program := range programs(t) {
		machines = append(machines, program.Machine())
	}
	for _, m := range machines {
		for _, table := range m.Tables {
			for _, interaction := range table.Interactions {
				verb := " sends on "
				if interaction.Kind == air.Receive {
					verb = " receives on "
				}
				name := m.Name + "/" + table.Name + verb + interaction.Bus.Name
				switch multiplicity := table.Graph[interaction.Multiplicity]; {
				case interaction.Kind == air.Receive && interaction.Bus.Kind == air.Lookup: // free: the count of an entry
				case multiplicity.Op == air.Constant && uint64(multiplicity.Value) <= interaction.Bound:
				case multiplicity.Op == air.Preprocessed && table.Kind == air.FixedPreprocessed &&
					largest(table, int(multiplicity.Column)) <= interaction.Bound:
				case assertedBoolean(table, interaction.Multiplicity) && interaction.Bound >= 1:
				case argued[name] != "":
					used[name] = true
				default:
					t.Errorf("%s: nothing says that the multiplicity keeps to its bound %d", name, interaction.Bound)
				}
			}
		}
	}
	for name := range argued {
		if !used[name] {
			t.Errorf("%s is argued for and not there", name)
		}
	}
}

// largest is the greatest value of a preprocessed column.
func largest(table *air.Table, column int) (most uint64) {
	for _, v := range table.PreprocessedColumns()[column] {
		most = max(most, uint64(v))
	}
	return most
}

// assertedBoolean finds the constraint x^2 - x = 0 of a node.
func assertedBoolean(table *air.Table, x air.NodeID) bool {
	for _, constraint := range table.Constraints {
		root := table.Graph[constraint.Root]
		if root.Op != air.Sub || root.B != x {
			continue
		}
		if square := table.Graph[root.A]; square.Op == air.Mul && square.A == x && square.B == x {
			return true
		}
	}
	return false
}

// programs are all machines, and the one for tests.
func programs(t *testing.T) []run.Program {
	t.Helper()
	list, err := all.List()
	if err != nil {
		t.Fatal(err)
	}
	test, err := tour.New(tour.Sample())
	if err != nil {
		t.Fatal(err)
	}
	return append(list, test)
}

// Honest traces respect all bounds, argued or not.
func TestTracesKeepTheirBounds(t *testing.T) {
	for _, program := range programs(t) {
		m := program.Machine()
		e, err := run.Execute(context.Background(), program, run.Input{Size: 8, Seed: 1, MinLogHeight: 3})
		if err != nil {
			t.Fatal(err)
		}
		traces, err := program.Fillers().Traces(parallel.New(0), e)
		if err != nil {
			t.Fatal(err)
		}
		for _, instance := range traces {
			values := make([]goldilocks.Element, len(instance.Table.Graph))
			for row := range instance.Trace.Rows() {
				instance.Table.EvaluateRow(instance.Trace, row, e.Public().Values, values)
				for _, interaction := range instance.Table.Interactions {
					if have := uint64(values[interaction.Multiplicity]); interaction.Bound > 0 && have > interaction.Bound {
						t.Errorf("%s/%s, row %d: a message on bus %s counts %d times, at most %d are declared", m.Name,
							instance.Table.Name, row, interaction.Bus.Name, have, interaction.Bound)
					}
				}
			}
		}
	}
}
