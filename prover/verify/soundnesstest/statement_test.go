package soundnesstest

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/verify"
)

// TestAnotherStatement changes the statement of a finished proof.
func TestAnotherStatement(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(*protocol.Proof)
		by     []verify.Check
	}{
		{"another machine's name", func(p *protocol.Proof) { p.MachineName = "fib" }, []verify.Check{verify.CheckMachine}},
		{"another machine's digest", func(p *protocol.Proof) { p.MachineDigest[31] ^= 1 },
			[]verify.Check{verify.CheckMachine}},
		{"fewer queries", func(p *protocol.Proof) { p.Params.Queries-- }, []verify.Check{verify.CheckParams}},
		{"less grinding", func(p *protocol.Proof) { p.Params.GrindingBits = 0 }, []verify.Check{verify.CheckParams}},
		{"a longer final polynomial", func(p *protocol.Proof) { p.Params.LogFinalLength++ },
			[]verify.Check{verify.CheckParams}},
		{"a lower least height", func(p *protocol.Proof) { p.Params.MinLogHeight-- }, []verify.Check{verify.CheckParams}},
		{"a larger public sum", func(p *protocol.Proof) { add(&p.Public.Values[publicSum], 1) },
			[]verify.Check{verify.CheckSums}},
		{"a public value out of range", func(p *protocol.Proof) { p.Public.Values[publicBase] = 32 },
			[]verify.Check{verify.CheckPublic}},
		{"a public value too few", func(p *protocol.Proof) { p.Public.Values = p.Public.Values[:1] },
			[]verify.Check{verify.CheckPublic}},
		{"a public value too many", func(p *protocol.Proof) { p.Public.Values = append(p.Public.Values, 0) },
			[]verify.Check{verify.CheckPublic}},
		{"public data where there is none", func(p *protocol.Proof) { p.Public.Data = []byte{0} },
			[]verify.Check{verify.CheckPublic}},
		{"a program where there is none", func(p *protocol.Proof) { p.Program = &protocol.ProgramKey{} },
			[]verify.Check{verify.CheckProgram}},
		{"an instance twice as high", func(p *protocol.Proof) { p.Instances[steps].LogHeight++ },
			[]verify.Check{verify.CheckSums, verify.CheckShape}},
		{"an instance half as high", func(p *protocol.Proof) { p.Instances[squares].LogHeight-- },
			[]verify.Check{verify.CheckSums, verify.CheckShape}},
		{"an instance lower than the parameters allow", func(p *protocol.Proof) { p.Instances[steps].LogHeight = 4 },
			[]verify.Check{verify.CheckInstances}},
		{"an instance higher than the field allows", func(p *protocol.Proof) { p.Instances[steps].LogHeight = 32 },
			[]verify.Check{verify.CheckInstances}},
		{"another height of a table of fixed height", func(p *protocol.Proof) { p.Instances[small].LogHeight = 6 },
			[]verify.Check{verify.CheckInstances}},
		{"a missing instance", func(p *protocol.Proof) { p.Instances = p.Instances[:3] },
			[]verify.Check{verify.CheckInstances}},
		{"an instance too many", func(p *protocol.Proof) { p.Instances = append(p.Instances, p.Instances[cubes]) },
			[]verify.Check{verify.CheckInstances}},
		{"an instance of no table", func(p *protocol.Proof) { p.Instances[cubes].Table = 4 },
			[]verify.Check{verify.CheckInstances}},
		{"no instances", func(p *protocol.Proof) { p.Instances = nil }, []verify.Check{verify.CheckInstances}},
		{"swapped heights", func(p *protocol.Proof) {
			i := p.Instances
			i[steps].LogHeight, i[squares].LogHeight = i[squares].LogHeight, i[steps].LogHeight
		}, []verify.Check{verify.CheckSums, verify.CheckShape}},
		{"swapped instances", func(p *protocol.Proof) {
			p.Instances[small], p.Instances[cubes] = p.Instances[cubes], p.Instances[small]
		}, []verify.Check{verify.CheckInstances}},
		{"swapped openings", func(p *protocol.Proof) {
			for phase := range p.Openings {
				if o := p.Openings[phase]; len(o) > 0 && phase != int(protocol.Quotient) {
					o[small], o[cubes] = o[cubes], o[small]
				}
			}
		}, []verify.Check{verify.CheckShape}},
		{"no claimed sums", func(p *protocol.Proof) { p.Claimed = nil }, []verify.Check{verify.CheckShape}},
		{"no auxiliary commitment", func(p *protocol.Proof) { p.AuxiliaryCap = nil }, []verify.Check{verify.CheckShape}},
		{"no openings of a phase", func(p *protocol.Proof) { p.Openings[protocol.Auxiliary] = nil },
			[]verify.Check{verify.CheckShape}},
		{"no folds", func(p *protocol.Proof) { p.LayerCaps, p.Layers = nil, nil }, []verify.Check{verify.CheckShape}},
		{"a FRI cap too few", func(p *protocol.Proof) { p.LayerCaps = p.LayerCaps[1:] }, []verify.Check{verify.CheckShape}},
		{"a FRI cap too many", func(p *protocol.Proof) { p.LayerCaps = append(slices.Clone(p.LayerCaps), p.LayerCaps[0]) },
			[]verify.Check{verify.CheckShape}},
		{"an opened FRI layer too many", func(p *protocol.Proof) { p.Layers = append(slices.Clone(p.Layers), p.Layers[0]) },
			[]verify.Check{verify.CheckShape}},
		{"a node too many in a FRI cap",
			func(p *protocol.Proof) {
				p.LayerCaps[0] = append(slices.Clone(p.LayerCaps[0]),
					merkle.Digest{})
			}, []verify.Check{verify.CheckShape}},
		{"a node too many in the main cap",
			func(p *protocol.Proof) {
				p.MainCap = append(slices.Clone(p.MainCap),
					merkle.Digest{})
			}, []verify.Check{verify.CheckShape}},
		{"a node too few in the quotient cap", func(p *protocol.Proof) { p.QuotientCap = p.QuotientCap[1:] },
			[]verify.Check{verify.CheckShape}},
		{"a claimed sum too many",
			func(p *protocol.Proof) {
				p.Claimed = append(slices.Clone(p.Claimed),
					goldilocks.Extension{})
			}, []verify.Check{verify.CheckShape}},
		{"a value too many at gz", func(p *protocol.Proof) {
			o := &p.Openings[protocol.Main][steps]
			o.Next = append(slices.Clone(o.Next), goldilocks.Extension{})
		}, []verify.Check{verify.CheckShape}},
		{"no queries", func(p *protocol.Proof) { p.Trees = [protocol.PhaseCount]merkle.Opening{} },
			[]verify.Check{verify.CheckOpenings}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			proof, key := lie{}.prove(t)
			proof.Instances, proof.Public.Values = slices.Clone(proof.Instances), slices.Clone(proof.Public.Values)
			tc.change(proof)
			rejected(t, proof, key, tc.by...)
		})
	}
}

// A proof has no part that its machine lacks: nothing would check the openings of a phase without columns.
func TestOpeningsOfAbsentPhases(t *testing.T) {
	fib := smallProofs(t)["fib"]
	rows := []merkle.Rows{{Width: 3, Cells: []goldilocks.Element{1, 2, 3}}}
	for name, change := range map[string]func(*protocol.Proof){
		"fixed siblings":    func(p *protocol.Proof) { p.Trees[protocol.Fixed].Siblings = []merkle.Digest{{1}} },
		"auxiliary rows":    func(p *protocol.Proof) { p.Trees[protocol.Auxiliary].Rows = rows },
		"auxiliary values":  func(p *protocol.Proof) { p.Openings[protocol.Auxiliary] = make([]protocol.Opened, 1) },
		"an auxiliary cap":  func(p *protocol.Proof) { p.AuxiliaryCap = []merkle.Digest{{}} },
		"rows of a program": func(p *protocol.Proof) { p.Trees[protocol.Program].Rows = rows },
		"claimed sums":      func(p *protocol.Proof) { p.Claimed = []goldilocks.Extension{{}} },
	} {
		t.Run(name, func(t *testing.T) {
			proof, key := lie{key: fib.key, execution: fib.execution}.prove(t)
			change(proof)
			rejected(t, proof, key, verify.CheckShape)
		})
	}
}

// A prover commits to the wrong public values from the start. Everything else is honest.
func TestWrongPublicValuesFromTheStart(t *testing.T) {
	lie{execution: publicSumPlus(1)}.caught(t, verify.CheckQuotient)
	lie{execution: claiming(toyExecution{}, func(public *circuit.Public) {
		public.Values[publicBase] = 8 // its square is received too, but not as often
	})}.caught(t, verify.CheckSums)
}

// An instance cut to half its height omits half of its messages.
func TestAnotherHeightFromTheStart(t *testing.T) {
	shape := slices.Clone(toyExecution{}.Instances())
	shape[squares].LogHeight--
	shape[steps].LogHeight--
	lie{execution: &machine.Mutated{Execution: toyExecution{}, Shape: shape}}.caught(t, verify.CheckSums,
		verify.CheckQuotient)
	shape = slices.Clone(toyExecution{}.Instances())
	shape[cubes].LogHeight++ // padded with zeros
	lie{execution: &machine.Mutated{Execution: toyExecution{}, Shape: shape}}.caught(t, verify.CheckQuotient)
}

// A machine that differs only in preprocessed values: its lookup table holds 1 to 32, and the true machine refuses 32.
func TestAnotherPreprocessedRoot(t *testing.T) {
	honest := newKey(t, toy())
	other := newKey(t, newToy(toyOptions{from: 1}))
	if honest.Digest == other.Digest {
		t.Fatal("the digest does not depend on preprocessed values")
	}

	ones := withoutZeros()
	proof, _ := lie{key: other, execution: ones}.prove(t)
	rejected(t, proof, honest, verify.CheckMachine)

	// The same with the true digest: the prover absorbs it, but uses other columns.
	disguised := *other
	disguised.Digest = honest.Digest
	proof, _ = lie{key: &disguised, execution: ones}.prove(t)
	rejected(t, proof, honest, verify.CheckOpenings)
}

// withoutZeros is the toy's execution with every x = 0 made 1.
func withoutZeros() machine.Execution {
	var zeros goldilocks.Element
	for row := range toyActive {
		if toyX(row) == 0 {
			add(&zeros, 1)
		}
	}
	cheat := claiming(toyExecution{}, func(public *circuit.Public) { add(&public.Values[publicSum], zeros) })
	cheat.Change = func(instance int, columns [][]goldilocks.Element) {
		for row := range toyActive {
			if toyX(row) != 0 {
				continue
			}
			switch instance {
			case steps:
				columns[stepsX][row], columns[stepsY][row] = 1, 1
			case squares:
				columns[squaresX][row], columns[squaresY][row] = 1, 1
			}
		}
		if instance == steps {
			fixSums(columns)
		}
	}
	return cheat
}

// The order of tables is part of a machine.
func TestSwappedTablesAreAnotherMachine(t *testing.T) {
	swapped := newToy(toyOptions{})
	tables := swapped.Machine.Tables
	tables[steps], tables[squares] = tables[squares], tables[steps]
	if newKey(t, swapped).Digest == newKey(t, toy()).Digest {
		t.Error("a machine with swapped tables has the same digest")
	}
	missing := newToy(toyOptions{})
	missing.Machine.Tables = missing.Machine.Tables[:3]
	if newKey(t, missing).Digest == newKey(t, toy()).Digest {
		t.Error("a machine without its last table has the same digest")
	}
}

// Every element of a proof has one encoding: p and more is refused at every position of an element.
func TestNonCanonicalElements(t *testing.T) {
	proof, _ := lie{}.prove(t)
	mark := goldilocks.Element(0x5ca1ab1e0ddba11)
	for name, at := range map[string]*goldilocks.Element{
		"public value":         &proof.Public.Values[0],
		"claimed sum":          &proof.Claimed[1][2],
		"value at z":           &proof.Openings[protocol.Main][0].Current[0][0],
		"value at gz":          &proof.Openings[protocol.Main][0].Next[0][1],
		"final coefficient":    &proof.Final[0][0],
		"row of a phase":       &proof.Trees[protocol.Quotient].Rows[0].Cells[0],
		"row of a FRI layer":   &proof.Layers[0].Rows[0].Cells[0],
		"fixed row":            &proof.Trees[protocol.Fixed].Rows[0].Cells[0],
		"auxiliary row, last":  &proof.Trees[protocol.Auxiliary].Rows[0].Cells[1],
		"quotient value at z":  &proof.Openings[protocol.Quotient][smallClass].Current[5][2],
		"running sum at gz":    &proof.Openings[protocol.Auxiliary][0].Next[2][0],
		"last layer's element": &proof.Layers[len(proof.Layers)-1].Rows[0].Cells[0],
	} {
		old := *at
		*at = mark
		encoded, err := proof.MarshalBinary()
		*at = old
		if err != nil {
			t.Fatal(err)
		}
		text, marked := string(encoded), string(binary.LittleEndian.AppendUint64(nil, uint64(mark)))
		if strings.Count(text, marked) != 1 {
			t.Fatalf("%s: the mark is in the proof %d times, want once", name, strings.Count(text, marked))
		}
		for _, word := range []uint64{goldilocks.Modulus, goldilocks.Modulus + 1, 1<<64 - 1} {
			bad := strings.Replace(text, marked, string(binary.LittleEndian.AppendUint64(nil, word)), 1)
			var decoded protocol.Proof
			if err := decoded.UnmarshalBinary([]byte(bad)); err == nil || !strings.Contains(err.Error(), "is not below p") {
				t.Errorf("%s: %d is decoded with error %v, want one that says it is not below p", name, word, err)
			}
		}
	}
}

// The same for a proof in memory that was never encoded: values without an encoding are refused too.
func TestNonCanonicalElementsInMemory(t *testing.T) {
	for name, at := range map[string]func(*protocol.Proof) *goldilocks.Element{
		"claimed sum": func(p *protocol.Proof) *goldilocks.Element { return &p.Claimed[small][0] },
		"value at z": func(p *protocol.Proof) *goldilocks.Element {
			return &p.Openings[protocol.Main][0].Current[0][1]
		},
		"value at gz":       func(p *protocol.Proof) *goldilocks.Element { return &p.Openings[protocol.Main][0].Next[0][2] },
		"final coefficient": func(p *protocol.Proof) *goldilocks.Element { return &p.Final[len(p.Final)-1][0] },
	} {
		t.Run(name, func(t *testing.T) {
			proof, key := lie{}.prove(t)
			*at(proof) = goldilocks.Element(goldilocks.Modulus)
			rejected(t, proof, key, verify.CheckShape)
		})
	}
	proof, key := lie{}.prove(t)
	proof.Trees[protocol.Main].Rows[0].Cells[0] = goldilocks.Element(goldilocks.Modulus)
	rejected(t, proof, key, verify.CheckOpenings)
}

// Without grinding there is no nonce, in the file or in memory.
func TestNonceIsAbsentWithoutGrinding(t *testing.T) {
	key := newKey(t, toy())
	key.Params.GrindingBits = 0
	proof, _ := lie{key: key}.prove(t)
	if err := verify.Proof(proof, key); err != nil {
		t.Fatal(err)
	}
	without, _ := proof.MarshalBinary()
	proof.Nonce = 1
	with, _ := proof.MarshalBinary()
	if string(with) != string(without) {
		t.Error("a nonce is written where there is none")
	}

	// A proof that omits a required nonce is eight bytes short.
	proof, key = lie{}.prove(t)
	encoded, _ := proof.MarshalBinary()
	nonce := 0
	for _, section := range proof.Sections() {
		if nonce += section.Bytes; section.Name == "nonce" {
			if section.Bytes != 8 {
				t.Fatalf("the nonce takes %d bytes, want 8", section.Bytes)
			}
			break
		}
	}
	if err := believed(slices.Concat(encoded[:nonce-8], encoded[nonce:]), key); err == nil {
		t.Error("a proof without its nonce is believed")
	}
	// A proof that claims that it needs no nonce has other parameters.
	proof.Params.GrindingBits = 0
	rejected(t, proof, key, verify.CheckParams)
}
