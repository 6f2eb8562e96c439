package soundnesstest

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/stark"
)

// TestAnotherStatement changes a finished proof: what it says it proves.
func TestAnotherStatement(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(*stark.Proof)
		by     []stark.Check
	}{
		{"another machine's name", func(p *stark.Proof) { p.MachineName = "fib" }, []stark.Check{stark.CheckMachine}},
		{"another machine's digest", func(p *stark.Proof) { p.MachineDigest[31] ^= 1 }, []stark.Check{stark.CheckMachine}},
		{"fewer queries", func(p *stark.Proof) { p.Params.Queries-- }, []stark.Check{stark.CheckParams}},
		{"less grinding", func(p *stark.Proof) { p.Params.GrindingBits = 0 }, []stark.Check{stark.CheckParams}},
		{"a longer final polynomial", func(p *stark.Proof) { p.Params.LogFinalLength++ }, []stark.Check{stark.CheckParams}},
		{"a lower least height", func(p *stark.Proof) { p.Params.MinLogHeight-- }, []stark.Check{stark.CheckParams}},
		{"a larger public sum", func(p *stark.Proof) { add(&p.Public[publicSum], 1) }, []stark.Check{stark.CheckSums}},
		{"a public value out of range", func(p *stark.Proof) { p.Public[publicBase] = 32 }, []stark.Check{stark.CheckPublic}},
		{"a public value too few", func(p *stark.Proof) { p.Public = p.Public[:1] }, []stark.Check{stark.CheckPublic}},
		{"a public value too many", func(p *stark.Proof) { p.Public = append(p.Public, 0) }, []stark.Check{stark.CheckPublic}},
		{"a table twice as high", func(p *stark.Proof) { p.LogHeights[steps]++ }, []stark.Check{stark.CheckSums, stark.CheckShape}},
		{"a table half as high", func(p *stark.Proof) { p.LogHeights[squares]-- }, []stark.Check{stark.CheckSums, stark.CheckShape}},
		{"a table lower than the parameters allow", func(p *stark.Proof) { p.LogHeights[steps] = 4 }, []stark.Check{stark.CheckHeights}},
		{"a table higher than the field allows", func(p *stark.Proof) { p.LogHeights[steps] = 32 }, []stark.Check{stark.CheckHeights}},
		{"another height of a table of fixed height", func(p *stark.Proof) { p.LogHeights[small] = 6 }, []stark.Check{stark.CheckHeights}},
		{"a missing table", func(p *stark.Proof) { p.LogHeights = p.LogHeights[:3] }, []stark.Check{stark.CheckHeights}},
		{"a table too many", func(p *stark.Proof) { p.LogHeights = append(p.LogHeights, 5) }, []stark.Check{stark.CheckHeights}},
		{"swapped heights", func(p *stark.Proof) {
			p.LogHeights[steps], p.LogHeights[squares] = p.LogHeights[squares], p.LogHeights[steps]
		}, []stark.Check{stark.CheckSums, stark.CheckShape}},
		{"swapped tables", func(p *stark.Proof) {
			p.LogHeights[small], p.LogHeights[cubes] = p.LogHeights[cubes], p.LogHeights[small]
			for phase := range p.Openings {
				if o := p.Openings[phase]; o != nil {
					o[small], o[cubes] = o[cubes], o[small]
				}
			}
		}, []stark.Check{stark.CheckShape}},
		{"no claimed sums", func(p *stark.Proof) { p.Claimed = nil }, []stark.Check{stark.CheckShape}},
		{"no auxiliary commitment", func(p *stark.Proof) { p.AuxiliaryCap = nil }, []stark.Check{stark.CheckShape}},
		{"no openings of a phase", func(p *stark.Proof) { p.Openings[backend.Auxiliary] = nil }, []stark.Check{stark.CheckShape}},
		{"no folds", func(p *stark.Proof) { p.LayerCaps, p.Layers = nil, nil }, []stark.Check{stark.CheckShape}},
		{"a FRI cap too few", func(p *stark.Proof) { p.LayerCaps = p.LayerCaps[1:] }, []stark.Check{stark.CheckShape}},
		{"a FRI cap too many", func(p *stark.Proof) { p.LayerCaps = append(slices.Clone(p.LayerCaps), p.LayerCaps[0]) }, []stark.Check{stark.CheckShape}},
		{"an opened FRI layer too many", func(p *stark.Proof) { p.Layers = append(slices.Clone(p.Layers), p.Layers[0]) }, []stark.Check{stark.CheckShape}},
		{"a node too many in a FRI cap", func(p *stark.Proof) { p.LayerCaps[0] = append(slices.Clone(p.LayerCaps[0]), merkle.Digest{}) }, []stark.Check{stark.CheckShape}},
		{"a node too many in the main cap", func(p *stark.Proof) { p.MainCap = append(slices.Clone(p.MainCap), merkle.Digest{}) }, []stark.Check{stark.CheckShape}},
		{"a node too few in the quotient cap", func(p *stark.Proof) { p.QuotientCap = p.QuotientCap[1:] }, []stark.Check{stark.CheckShape}},
		{"a claimed sum too many", func(p *stark.Proof) { p.Claimed = append(slices.Clone(p.Claimed), goldilocks.Extension{}) }, []stark.Check{stark.CheckShape}},
		{"a value too many at gz", func(p *stark.Proof) {
			o := &p.Openings[backend.Main][steps]
			o.Next = append(slices.Clone(o.Next), goldilocks.Extension{})
		}, []stark.Check{stark.CheckShape}},
		{"no queries", func(p *stark.Proof) { p.Trees = [backend.PhaseCount]merkle.Opening{} }, []stark.Check{stark.CheckOpenings}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			proof, key := lie{}.prove(t)
			proof.LogHeights, proof.Public = slices.Clone(proof.LogHeights), slices.Clone(proof.Public)
			tc.change(proof)
			rejected(t, proof, key, tc.by...)
		})
	}
}

// What a machine lacks, its proofs lack: openings of a phase without columns would be bytes that nothing checks.
func TestOpeningsOfAbsentPhases(t *testing.T) {
	fib := smallProofs(t)["fib"]
	row := []goldilocks.Element{1, 2, 3}
	for name, change := range map[string]func(*stark.Proof){
		"preprocessed siblings": func(p *stark.Proof) { p.Trees[backend.Preprocessed].Siblings = []merkle.Digest{{1}} },
		"auxiliary rows":        func(p *stark.Proof) { p.Trees[backend.Auxiliary].Rows = [][][]goldilocks.Element{{row, row}} },
		"auxiliary values":      func(p *stark.Proof) { p.Openings[backend.Auxiliary] = make([]backend.TableOpenings, 1) },
		"an auxiliary cap":      func(p *stark.Proof) { p.AuxiliaryCap = []merkle.Digest{{}} },
		"claimed sums":          func(p *stark.Proof) { p.Claimed = []goldilocks.Extension{{}} },
	} {
		t.Run(name, func(t *testing.T) {
			proof, key := lie{key: fib.key, witness: fib.witness}.prove(t)
			change(proof)
			rejected(t, proof, key, stark.CheckShape)
		})
	}
}

// A prover that is bound to the wrong public values from the start does everything else right.
func TestWrongPublicValuesFromTheStart(t *testing.T) {
	lie{witness: publicSumPlus(1)}.caught(t, stark.CheckQuotient)
	public := toyWitness{}.Public()
	public[publicBase] = 8 // its square is received too, but not as often
	lie{witness: &machine.Mutated{Witness: toyWitness{}, PublicValues: public}}.caught(t, stark.CheckSums)
}

// A table cut to half its height forgets half of its messages.
func TestAnotherHeightFromTheStart(t *testing.T) {
	heights := toyWitness{}.LogHeights()
	heights[squares]--
	heights[steps]--
	lie{witness: &machine.Mutated{Witness: toyWitness{}, Heights: heights}}.caught(t, stark.CheckSums, stark.CheckQuotient)
	heights = toyWitness{}.LogHeights()
	heights[cubes]++ // padded with zeros
	lie{witness: &machine.Mutated{Witness: toyWitness{}, Heights: heights}}.caught(t, stark.CheckQuotient)
}

// A machine that differs in preprocessed values alone: its lookup table holds 1 to 32, and 32 is a
// number that the true machine refuses.
func TestAnotherPreprocessedRoot(t *testing.T) {
	honest := newKey(t, toy())
	forged := *toy()
	forged.Tables = slices.Clone(forged.Tables)
	forged.Tables[small] = toySmall(1)
	other := newKey(t, &forged)
	if honest.Digest == other.Digest {
		t.Fatal("the digest does not depend on preprocessed values")
	}

	proof, _ := lie{key: other}.prove(t)
	rejected(t, proof, honest, stark.CheckMachine)

	// The same with the true digest: the prover absorbs it and hopes that nobody looks at the columns.
	disguised := *other
	disguised.Digest = honest.Digest
	proof, _ = lie{key: &disguised}.prove(t)
	// The counts are off by one row: with 1 to 32 in the table, x is received in row x-1.
	rejected(t, proof, honest, stark.CheckSums, stark.CheckOpenings)

	// And with counts and values that fit every other check.
	proof, _ = lie{key: &disguised, cheater: &cheater{count: func(m matrices) {
		clear(m[small][0][:1<<toySmallLog])
		for row := range toyActive {
			if x := (toyWitness{}).x(row); x > 0 {
				add(&m[small][0][x-1], 1)
			}
		}
	}}, witness: withoutZeros()}.prove(t)
	rejected(t, proof, honest, stark.CheckOpenings)
}

// withoutZeros is the toy's witness with every x = 0 made 1.
func withoutZeros() machine.Witness {
	truth := toyWitness{}
	var zeros goldilocks.Element
	for row := range toyActive {
		if truth.x(row) == 0 {
			add(&zeros, 1)
		}
	}
	public := truth.Public()
	add(&public[publicSum], zeros)
	return &machine.Mutated{Witness: truth, PublicValues: public, Change: func(table int, columns [][]goldilocks.Element) {
		for row := range toyActive {
			if truth.x(row) != 0 {
				continue
			}
			switch table {
			case steps:
				columns[stepsX][row], columns[stepsY][row] = 1, 1
			case squares:
				columns[squaresX][row], columns[squaresY][row] = 1, 1
			}
		}
		if table == steps {
			fixSums(columns)
		}
	}}
}

// The order of tables is part of a machine.
func TestSwappedTablesAreAnotherMachine(t *testing.T) {
	swapped := *toy()
	swapped.Tables = []*air.Table{toy().Tables[squares], toy().Tables[steps], toy().Tables[small], toy().Tables[cubes]}
	if newKey(t, &swapped).Digest == newKey(t, toy()).Digest {
		t.Error("a machine with swapped tables has the same digest")
	}
	missing := *toy()
	missing.Tables, missing.UnitRows = missing.Tables[:3], missing.UnitRows[:3]
	if newKey(t, &missing).Digest == newKey(t, toy()).Digest {
		t.Error("a machine without its last table has the same digest")
	}
}

// Every element of a proof has one encoding: p and more is refused wherever an element stands.
func TestNonCanonicalElements(t *testing.T) {
	proof, _ := lie{}.prove(t)
	mark := goldilocks.Element(0x5ca1ab1e0ddba11)
	for name, at := range map[string]*goldilocks.Element{
		"public value":         &proof.Public[0],
		"claimed sum":          &proof.Claimed[1][2],
		"value at z":           &proof.Openings[backend.Main][0].Current[0][0],
		"value at gz":          &proof.Openings[backend.Main][0].Next[0][1],
		"final coefficient":    &proof.Final[0][0],
		"row of a phase":       &proof.Trees[backend.Quotient].Rows[0][0][0],
		"row of a FRI layer":   &proof.Layers[0].Rows[0][0][0],
		"preprocessed row":     &proof.Trees[backend.Preprocessed].Rows[0][0][0],
		"auxiliary row, last":  &proof.Trees[backend.Auxiliary].Rows[0][0][1],
		"quotient value at z":  &proof.Openings[backend.Quotient][3].Current[5][2],
		"running sum at gz":    &proof.Openings[backend.Auxiliary][0].Next[2][0],
		"last layer's element": &proof.Layers[len(proof.Layers)-1].Rows[0][0][0],
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
			var decoded stark.Proof
			if err := decoded.UnmarshalBinary([]byte(bad)); err == nil || !strings.Contains(err.Error(), "is not below p") {
				t.Errorf("%s: %d is decoded with error %v, want one that says it is not below p", name, word, err)
			}
		}
	}
}

// The same of a proof that was never written down: what a file could not hold is refused in memory too.
func TestNonCanonicalElementsInMemory(t *testing.T) {
	for name, at := range map[string]func(*stark.Proof) *goldilocks.Element{
		"claimed sum":       func(p *stark.Proof) *goldilocks.Element { return &p.Claimed[cubes][0] },
		"value at z":        func(p *stark.Proof) *goldilocks.Element { return &p.Openings[backend.Main][0].Current[0][1] },
		"value at gz":       func(p *stark.Proof) *goldilocks.Element { return &p.Openings[backend.Main][0].Next[0][2] },
		"final coefficient": func(p *stark.Proof) *goldilocks.Element { return &p.Final[len(p.Final)-1][0] },
	} {
		t.Run(name, func(t *testing.T) {
			proof, key := lie{}.prove(t)
			*at(proof) = goldilocks.Element(goldilocks.Modulus)
			rejected(t, proof, key, stark.CheckShape)
		})
	}
	proof, key := lie{}.prove(t)
	row := proof.Trees[backend.Main].Rows[0][0]
	row[0] = goldilocks.Element(goldilocks.Modulus)
	rejected(t, proof, key, stark.CheckOpenings)
}

// Where grinding is 0 there is no nonce: nothing of it is in the file, and nothing of it is believed.
func TestNonceIsAbsentWithoutGrinding(t *testing.T) {
	p := params()
	p.GrindingBits = 0
	key, err := stark.NewKey(toy(), p)
	if err != nil {
		t.Fatal(err)
	}
	proof, _ := lie{key: key}.prove(t)
	if err := stark.Verify(proof, key); err != nil {
		t.Fatal(err)
	}
	without, _ := proof.MarshalBinary()
	proof.Nonce = 1
	with, _ := proof.MarshalBinary()
	if string(with) != string(without) {
		t.Error("a nonce is written where there is none")
	}

	// A proof that leaves out the nonce it owes is eight bytes short.
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
	// One that says that it owes none is of other parameters.
	proof.Params.GrindingBits = 0
	rejected(t, proof, key, stark.CheckParams)
}
