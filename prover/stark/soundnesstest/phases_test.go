package soundnesstest

import (
	"testing"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/stark"
	"github.com/chiasmus/chiasmus/prover/transcript"
)

// TestLies has one lie of each kind about the toy machine, told at each phase of the protocol.
func TestLies(t *testing.T) {
	for _, tc := range []struct {
		name string
		lie  lie
		by   stark.Check
	}{
		{"a lookup counted once too often", lie{cheater: &cheater{
			count: func(m matrices) { add(&m[small][0][3], 1) }}}, stark.CheckSums},
		{"a lookup counted once too little", lie{cheater: &cheater{
			count: func(m matrices) { add(&m[small][0][3], minus(1)) }}}, stark.CheckSums},
		{"a number that is in no lookup table", lie{cheater: &cheater{
			trace: func(m matrices) {
				// Row 60 is off: only its message is wrong, once it is on.
				m[steps][stepsX][toyActive-1], m[steps][stepsY][toyActive-1] = 32, 32*32
				fixSums(m[steps])
				m[squares][squaresX][toyActive-1], m[squares][squaresY][toyActive-1] = 32, 32*32
			}}, witness: publicSumPlus(32 - toyWitness{}.x(toyActive-1))}, stark.CheckSums},
		{"a message sent and never received", lie{witness: &machine.Mutated{Witness: toyWitness{},
			Change: func(table int, columns [][]goldilocks.Element) {
				if table == squares {
					columns[squaresOn][4] = 0
				}
			}}}, stark.CheckSums},
		{"a message received and never sent", lie{witness: &machine.Mutated{Witness: toyWitness{},
			Change: func(table int, columns [][]goldilocks.Element) {
				if table == squares {
					columns[squaresOn][toyActive+1] = 1
				}
			}}}, stark.CheckSums},
		{"the verifier's own message not received", lie{witness: &machine.Mutated{Witness: toyWitness{},
			Change: func(table int, columns [][]goldilocks.Element) {
				if table == squares {
					columns[squaresOn][toyActive] = 0
				}
			}}}, stark.CheckSums},

		{"a wrong fraction in the auxiliary columns", lie{cheater: &cheater{
			logUp: func(m matrices, _ []goldilocks.Extension) { add(&m[steps][0][7], 1) }}}, stark.CheckQuotient},
		{"a wrong running sum", lie{cheater: &cheater{
			logUp: func(m matrices, _ []goldilocks.Extension) { add(&last(m[squares])[9], 1) }}}, stark.CheckQuotient},
		{"a running sum that does not start at zero", lie{cheater: &cheater{
			logUp: func(m matrices, claimed []goldilocks.Extension) {
				for row := range 1 << toyStepsLog {
					add(&m[steps][len(m[steps])-3][row], 5)
				}
				addExtension(&claimed[steps], goldilocks.Extension{5})
				addExtension(&claimed[squares], goldilocks.Extension{minus(5)})
				for row := range 1 << toySquaresLog {
					add(&m[squares][len(m[squares])-3][row], minus(5))
				}
			}}}, stark.CheckQuotient},
		{"a wrong claimed sum", lie{cheater: &cheater{
			logUp: func(_ matrices, claimed []goldilocks.Extension) {
				addExtension(&claimed[steps], goldilocks.Extension{0, 1})
			}}}, stark.CheckSums},
		{"two wrong claimed sums that cancel", lie{cheater: &cheater{
			logUp: func(_ matrices, claimed []goldilocks.Extension) {
				addExtension(&claimed[steps], goldilocks.Extension{0, 1})
				addExtension(&claimed[squares], goldilocks.Extension{0, minus(1)})
			}}}, stark.CheckQuotient},
		{"a claimed sum of a table without interactions", lie{cheater: &cheater{
			logUp: func(_ matrices, claimed []goldilocks.Extension) {
				addExtension(&claimed[steps], goldilocks.Extension{1})
				addExtension(&claimed[cubes], goldilocks.Extension{minus(1)})
			}}}, stark.CheckSums},

		{"a wrong quotient, lower half", lie{cheater: &cheater{
			quotient: func(m matrices) { add(&m[cubes][0][1], 1) }}}, stark.CheckQuotient},
		{"a wrong quotient, upper half", lie{cheater: &cheater{
			quotient: func(m matrices) { add(&m[steps][5][1], 1) }}}, stark.CheckQuotient},

		{"a wrong main value at z", lie{cheater: &cheater{
			openings: func(o *backend.Openings) {
				addExtension(&o[backend.Main][squares].Current[squaresX], goldilocks.Extension{1})
			}}}, stark.CheckQuotient},
		{"a wrong main value at gz", lie{cheater: &cheater{
			openings: func(o *backend.Openings) { addExtension(&o[backend.Main][steps].Next[0], goldilocks.Extension{1}) }}}, stark.CheckQuotient},
		{"a wrong preprocessed value at z", lie{cheater: &cheater{
			openings: func(o *backend.Openings) {
				addExtension(&o[backend.Preprocessed][small].Current[0], goldilocks.Extension{1})
			}}}, stark.CheckQuotient},
		{"a wrong preprocessed value at gz", lie{cheater: &cheater{
			openings: func(o *backend.Openings) {
				addExtension(&o[backend.Preprocessed][small].Next[0], goldilocks.Extension{1})
			}}}, stark.CheckQuotient},
		// Three base columns are one extension column. These change them and not it, so that every
		// constraint holds at z and only the DEEP quotient is no polynomial.
		{"wrong quotient values at z that agree with the constraints", lie{cheater: &cheater{
			openings: func(o *backend.Openings) { hide(o[backend.Quotient][cubes].Current) }}}, stark.CheckFolds},
		{"wrong auxiliary values at z that agree with the constraints", lie{cheater: &cheater{
			openings: func(o *backend.Openings) { hide(o[backend.Auxiliary][steps].Current) }}}, stark.CheckFolds},
		{"wrong running sums at gz that agree with the constraints", lie{cheater: &cheater{
			openings: func(o *backend.Openings) { hide(o[backend.Auxiliary][squares].Next) }}}, stark.CheckFolds},

		// Another polynomial of low degree: FRI itself has nothing against it.
		{"a wrong DEEP codeword of the largest tables", lie{cheater: &cheater{
			deep: func(c backend.Codewords) { addToAll(cpu.Current(c), 1) }}}, stark.CheckFolds},
		{"a wrong DEEP codeword that joins later", lie{cheater: &cheater{
			deep: func(c backend.Codewords) {
				addToAll(joiningAt(c, toyStepsLog), 1)
			}}}, stark.CheckFolds},
		{"a wrong first fold", lie{cheater: &cheater{
			folded: func(fold int, c backend.Codewords) { addAt(c, fold == 0) }}}, stark.CheckFolds},
		{"a wrong second fold", lie{cheater: &cheater{
			folded: func(fold int, c backend.Codewords) { addAt(c, fold == 1) }}}, stark.CheckFolds},
		{"a layer changed after its commitment", lie{cheater: &cheater{
			layer: func(layer int, rows matrices) {
				if layer == 1 {
					for _, column := range rows[0] {
						for i := range column {
							add(&column[i], 1)
						}
					}
				}
			}}}, stark.CheckLayers},
		{"a DEEP codeword of too high degree", lie{cheater: &cheater{
			deep: func(c backend.Codewords) {
				codeword := cpu.Current(c)
				for i := range codeword.C[0] {
					// The sign alternates with the sign of y, in bit-reversed order: y^(n/2), far above the degree.
					add(&codeword.C[0][i], []goldilocks.Element{1, minus(1)}[i&1])
				}
			}}}, stark.CheckFolds},
		{"a DEEP codeword of one degree too many", lie{cheater: &cheater{
			deep: func(c backend.Codewords) { addMonomial(cpu.Current(c), 1<<toySquaresLog) }}}, stark.CheckFolds},
		{"a DEEP codeword of one degree too many that joins later", lie{cheater: &cheater{
			deep: func(c backend.Codewords) { addMonomial(joiningAt(c, toyStepsLog), 1<<toyStepsLog) }}}, stark.CheckFolds},
		{"a DEEP codeword that joins last, of the degree of larger ones", lie{cheater: &cheater{
			deep: func(c backend.Codewords) { addMonomial(joiningAt(c, toyCubesLog), 1<<toyCubesLog+1) }}}, stark.CheckFolds},
		{"a final polynomial with one more coefficient", lie{cheater: &cheater{
			final: func(f []goldilocks.Extension) []goldilocks.Extension { return append(f, goldilocks.Extension{1}) }}}, stark.CheckShape},
		{"a final polynomial with one more coefficient, zero", lie{cheater: &cheater{
			final: func(f []goldilocks.Extension) []goldilocks.Extension { return append(f, goldilocks.Extension{}) }}}, stark.CheckShape},
		{"a final polynomial with one coefficient less", lie{cheater: &cheater{
			final: func(f []goldilocks.Extension) []goldilocks.Extension { return f[:len(f)-1] }}}, stark.CheckShape},
		{"a wrong final polynomial", lie{cheater: &cheater{
			final: func(f []goldilocks.Extension) []goldilocks.Extension {
				addExtension(&f[0], goldilocks.Extension{1})
				return f
			}}}, stark.CheckFolds},

		{"a nonce that does not pass", lie{cheater: &cheater{
			grind: func(seed [32]byte, bits int, nonce uint64) uint64 {
				for nonce++; transcript.NoncePasses(seed, nonce, bits); nonce++ {
				}
				return nonce
			}}}, stark.CheckNonce},
		{"two opened rows in each other's place", lie{cheater: &cheater{
			gather: func(tree int, o *merkle.Opening) {
				if tree == int(backend.Main) {
					o.Rows[0][0], o.Rows[0][1] = o.Rows[0][1], o.Rows[0][0]
				}
			}}}, stark.CheckOpenings},
		{"two opened tables in each other's place", lie{cheater: &cheater{
			gather: func(tree int, o *merkle.Opening) {
				if tree == int(backend.Main) {
					o.Rows[steps], o.Rows[squares] = o.Rows[squares], o.Rows[steps]
				}
			}}}, stark.CheckOpenings},
		{"one query less, main columns", lie{cheater: &cheater{
			gather: func(tree int, o *merkle.Opening) { dropRow(tree == int(backend.Main), o) }}}, stark.CheckOpenings},
		{"one query less, preprocessed columns", lie{cheater: &cheater{
			gather: func(tree int, o *merkle.Opening) { dropRow(tree == int(backend.Preprocessed), o) }}}, stark.CheckOpenings},
		{"one query less, first FRI layer", lie{cheater: &cheater{
			gather: func(tree int, o *merkle.Opening) { dropRow(tree == backend.PhaseCount, o) }}}, stark.CheckLayers},
		{"a wrong row, auxiliary columns", lie{cheater: &cheater{
			gather: func(tree int, o *merkle.Opening) {
				if tree == int(backend.Auxiliary) {
					o.Rows[0][0] = append([]goldilocks.Element{o.Rows[0][0][0].Add(1)}, o.Rows[0][0][1:]...)
				}
			}}}, stark.CheckOpenings},
		{"a missing sibling", lie{cheater: &cheater{
			gather: func(_ int, o *merkle.Opening) { o.Siblings = o.Siblings[:max(0, len(o.Siblings)-1)] }}}, stark.CheckOpenings},
		{"a sibling too many", lie{cheater: &cheater{
			gather: func(_ int, o *merkle.Opening) { o.Siblings = append(o.Siblings, merkle.Digest{}) }}}, stark.CheckOpenings},
	} {
		t.Run(tc.name, func(t *testing.T) { tc.lie.caught(t, tc.by) })
	}
}

// A receiver that gets the same message p times would balance a sender that sends it never, were
// bounds and heights not checked.
func TestBoundsThatWrapAreRefused(t *testing.T) {
	key := newKey(t, newToy(goldilocks.Modulus>>toyStepsLog+1))
	lie{key: key}.caught(t, stark.CheckBuses)
	key = newKey(t, newToy(goldilocks.Modulus>>toyStepsLog-1))
	if err := stark.Verify(firstOf(lie{key: key}.prove(t)), key); err != nil {
		t.Errorf("bounds just below p are refused: %v", err)
	}
}

// A finished proof cannot take another nonce, though that passes too: its queries are at other positions.
func TestAnotherNonce(t *testing.T) {
	another := uint64(0)
	proof, key := lie{cheater: &cheater{grind: func(seed [32]byte, bits int, nonce uint64) uint64 {
		for another = nonce + 1; !transcript.NoncePasses(seed, another, bits); another++ {
		}
		return nonce
	}}}.prove(t)
	proof.Nonce = another
	rejected(t, proof, key, stark.CheckOpenings)
}

func firstOf[A, B any](a A, _ B) A { return a }
