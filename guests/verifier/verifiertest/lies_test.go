package verifiertest

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/internal/longtest"
	"github.com/chiasmus/chiasmus/prover/aggregate"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/backendtest"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine/keccak"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/prove"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/setup"
)

// lie is a lie of a prover that is otherwise honest: its challenges, folds and other trees follow from the lie. So only
// one check can refuse the proof.
type lie struct {
	name          string
	of            func(t *testing.T) run.Program
	verdict       string // of the verifier in C
	first, second string // in the errors of package verify and of the second verifier
	hooks         func(t *testing.T) *backendtest.Hooks

	// The bug for which the verifier in C accepts the proof: a text in trees.c, and the replacement.
	from, to string
}

// lies are about trees, about the numbers in them, and about the coefficients that combine opened columns.
var lies = []lie{
	{
		name: "a digest of a row for a node", of: permutations,
		verdict: "VERIFIER_OPENING", first: "Merkle opening: main", second: "a computed node differs from the cap",
		hooks: func(t *testing.T) *backendtest.Hooks { return falseTrees(t, rowsForNodes) },
		from:  "hash_node(&v->layer[out], &children, joins ? &rows : NULL);",
		to:    "if (joins) v->layer[out] = rows; else hash_node(&v->layer[out], &children, NULL);",
	},
	{
		name: "a node without the digest of its row", of: permutations,
		verdict: "VERIFIER_OPENING", first: "Merkle opening: main", second: "a computed node differs from the cap",
		hooks: func(t *testing.T) *backendtest.Hooks { return falseTrees(t, nodesWithoutRows) },
		from:  "hash_node(&v->layer[out], &children, joins ? &rows : NULL);",
		to:    "hash_node(&v->layer[out], &children, NULL);",
	},
	{
		name: "p for 0 in a cell", of: echoes,
		verdict: "VERIFIER_FILE_ELEMENT", first: "is not below p", second: "element 18446744069414584321",
		hooks: func(t *testing.T) *backendtest.Hooks { return falseTrees(t, modulusForZero) },
		from:  "return leaf.sum.refused ? VERIFIER_FILE_ELEMENT : VERIFIER_OK;",
		to:    "return VERIFIER_OK;",
	},
	{
		name: "the coefficient of another column", of: permutations,
		verdict: "VERIFIER_FOLD", first: "FRI fold: query 0", second: "does not hold the value",
		hooks: func(*testing.T) *backendtest.Hooks {
			return &backendtest.Hooks{GivenCoefficients: func(all protocol.Openings) protocol.Openings {
				swap(all[protocol.Main][0].Current)
				return all
			}}
		},
		from: "const extension *from = &v->coefficients[opened[m - tree->matrix]->at];",
		to: "extension *from = &v->coefficients[opened[m - tree->matrix]->at];\n" +
			"if (tree->phase == PHASE_MAIN && m == tree->matrix) { extension e = from[0]; from[0] = from[1], from[1] = e; }",
	},
}

func swap(list []goldilocks.Extension) { list[0], list[1] = list[1], list[0] }

// told proves a run with a lie.
func told(t *testing.T, l lie) *subject {
	t.Helper()
	program, params := l.of(t), testParams(t)
	if program.Machine().HasProgram() {
		params.MinLogHeight = 8
	}
	execution, err := run.Execute(t.Context(), program,
		run.Input{Data: bytes.Repeat([]byte("x"), 400), MinLogHeight: params.MinLogHeight, Pool: parallel.New(0)})
	must(t, err)
	key, err := setup.NewKey(program.Machine(), params)
	must(t, err)
	liar := backendtest.Hooked{Backend: cpu.New(parallel.New(0)), Hooks: l.hooks(t)}
	prover, err := prove.NewProver(key, program.Fillers(), liar, backend.Budget{})
	must(t, err)
	defer prover.Close()
	proof, _, err := prover.Prove(t.Context(), execution, prove.Options{})
	must(t, err)
	file, err := proof.MarshalBinary()
	must(t, err)
	return newSubject(t, l.name, file, key)
}

// permutations is a machine with two tables, and trees in which rows of the lower one join. All of its columns are in
// trees that the prover commits to.
func permutations(t *testing.T) run.Program {
	program, err := keccak.Program()
	must(t, err)
	return program
}

// echoes is a program whose tables have columns of zeros.
func echoes(t *testing.T) run.Program { return newEcho(t, 0).program }

// All verifiers refuse a proof with one of these lies, and each names the check. With the bug planted, the verifier in
// C accepts the proof: nothing else is wrong with it.
func TestLies(t *testing.T) {
	longtest.Only(t)
	native, objects := start(t), compileObjects(t)
	for _, l := range lies {
		s := told(t, l)
		if err := s.accepted(s.file); err == nil || !strings.Contains(err.Error(), l.first) {
			t.Errorf("%s: package verify says %v, want %q", l.name, err, l.first)
		}
		if err := s.second.Verify(s.file); err == nil || !strings.Contains(err.Error(), l.second) {
			t.Errorf("%s: the second verifier says %v, want %q", l.name, err, l.second)
		}
		if have := native.verify(t, s.file, s.id(), true); have != l.verdict {
			t.Errorf("%s: %s, want %s", l.name, have, l.verdict)
		}
		if have := native.verifyWords(t, aggregate.InWords(s.file), s.id()); have != l.verdict {
			t.Errorf("%s, in words: %s, want %s", l.name, have, l.verdict)
		}
		wrong := startAt(t, plant(t, objects, "trees.c", l.from, l.to))
		if have := wrong.verify(t, s.file, s.id(), true); have != accepted {
			t.Errorf("%s: %s with the bug planted, want %s", l.name, have, accepted)
		}
	}
}

// committed is what a prover says that it committed to.
type committed struct {
	cap []merkle.Digest
	// open changes an honest opening.
	open func(plan *merkle.Plan, opening *merkle.Opening)
}

// falseTrees are hooks of a prover that commits to other trees than those over its matrices, and opens them. The
// function builds such a tree, or returns nil for the honest tree.
func falseTrees(t *testing.T, of func(t *testing.T, matrices []merkle.Matrix) *committed) *backendtest.Hooks {
	var access cpu.Access
	trees := map[protocol.Phase]*committed{}
	return &backendtest.Hooks{
		Count: func(next backend.Columns[backend.Main]) error {
			var ok bool
			if access, ok = cpu.AccessTo(next); !ok {
				t.Fatal("the CPU backend's proof is not its own")
			}
			return nil
		},
		Commit: func(phase protocol.Phase, digests []merkle.Digest) error {
			var matrices []merkle.Matrix
			for _, columns := range access.Columns(phase) {
				if len(columns) > 0 {
					matrices = append(matrices, copied(columns))
				}
			}
			if trees[phase] = of(t, matrices); trees[phase] != nil {
				copy(digests, trees[phase].cap)
			}
			return nil
		},
		Gather: func(plans *protocol.Plans, _ func() []byte, gathered *backend.Gathered) error {
			for phase, tree := range trees {
				if tree != nil {
					tree.open(plans.Phases[phase], &gathered.Phases[phase])
				}
			}
			return nil
		},
	}
}

// copied is a copy, because the backend frees columns that it has opened.
func copied(matrix merkle.Matrix) (made merkle.Matrix) {
	for _, column := range matrix {
		made = append(made, slices.Clone(column))
	}
	return made
}

func built(t *testing.T, matrices []merkle.Matrix) *merkle.Tree {
	t.Helper()
	tree, err := merkle.Build(parallel.New(0), merkle.Kind{Hash: merkle.Blake3}, matrices, testParams(t).CapHeight)
	must(t, err)
	return tree
}

// ofHeight are the matrices with the least or the greatest number of rows.
func ofHeight(matrices []merkle.Matrix, greatest bool) (list []merkle.Matrix) {
	height := len(matrices[0][0])
	for _, m := range matrices {
		if (len(m[0]) > height) == greatest {
			height = len(m[0])
		}
	}
	for _, m := range matrices {
		if len(m[0]) == height {
			list = append(list, m)
		}
	}
	return list
}

// rowsForNodes takes the digests of the smallest matrices' rows for the nodes that these rows join. The tree does not
// bind the other matrices.
func rowsForNodes(t *testing.T, matrices []merkle.Matrix) *committed {
	return over(t, ofHeight(matrices, false))
}

// nodesWithoutRows binds only the tallest matrices.
func nodesWithoutRows(t *testing.T, matrices []merkle.Matrix) *committed {
	return over(t, ofHeight(matrices, true))
}

// over is a tree over some of the matrices.
func over(t *testing.T, some []merkle.Matrix) *committed {
	tree := built(t, some)
	return &committed{tree.Cap(), func(plan *merkle.Plan, opening *merkle.Opening) {
		replaceSiblings(t, tree, plan, opening)
	}}
}

// replaceSiblings takes the siblings that a tree has from that tree.
func replaceSiblings(t *testing.T, tree *merkle.Tree, plan *merkle.Plan, opening *merkle.Opening) {
	shape := tree.Shape()
	positions := slices.Clone(plan.Positions)
	for i := range positions {
		positions[i] >>= plan.Shape.LogHeight() - shape.LogHeight()
	}
	own, err := merkle.NewPlan(shape, positions)
	must(t, err)
	siblings := tree.Open(own).Siblings
	for i, number := range plan.Siblings {
		if at := slices.Index(own.Siblings, number); at >= 0 {
			opening.Siblings[i] = siblings[at]
		}
	}
}

// modulusForZero has p in place of 0 in a column of zeros.
func modulusForZero(t *testing.T, matrices []merkle.Matrix) *committed {
	isZero := func(column []goldilocks.Element) bool {
		return !slices.ContainsFunc(column, func(e goldilocks.Element) bool { return e != 0 })
	}
	for _, matrix := range matrices {
		if c := slices.IndexFunc(matrix, isZero); c >= 0 {
			matrix[c] = slices.Repeat([]goldilocks.Element{goldilocks.Element(goldilocks.Modulus)}, len(matrix[c]))
			tree := built(t, matrices)
			return &committed{tree.Cap(), func(plan *merkle.Plan, opening *merkle.Opening) { *opening = tree.Open(plan) }}
		}
	}
	return nil
}
