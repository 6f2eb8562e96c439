package soundnesstest

import (
	"testing"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/transcript"
	"github.com/chiasmus/chiasmus/prover/verify"
)

// TestLies has one lie of each kind about the toy machine, at each phase of the protocol.
func TestLies(t *testing.T) {
	for _, tc := range []struct {
		name string
		lie  lie
		by   verify.Check
	}{
		{"a lookup counted once too often", lie{cheater: &cheater{
			count: func(m matrices) { add(&m[small][0][3], 1) }}}, verify.CheckSums},
		{"a lookup counted once too little", lie{cheater: &cheater{
			count: func(m matrices) { add(&m[small][0][3], minus(1)) }}}, verify.CheckSums},
		{"a number that is in no lookup table", lie{cheater: &cheater{
			trace: func(m matrices) {
				// Row 60 is off: if it is switched on, only its message is wrong.
				m[steps][stepsX][toyActive-1], m[steps][stepsY][toyActive-1] = 32, 32*32
				fixSums(m[steps])
				m[squares][squaresX][toyActive-1], m[squares][squaresY][toyActive-1] = 32, 32*32
			}}, execution: publicSumPlus(32 - toyX(toyActive-1))}, verify.CheckSums},
		{"a message sent and never received", lie{execution: changing(squares, func(columns [][]goldilocks.Element) {
			columns[squaresOn][4] = 0
		})}, verify.CheckSums},
		{"a message received and never sent", lie{execution: changing(squares, func(columns [][]goldilocks.Element) {
			columns[squaresOn][toyActive+1] = 1
		})}, verify.CheckSums},
		{"the verifier's own message not received", lie{execution: changing(squares, func(columns [][]goldilocks.Element) {
			columns[squaresOn][toyActive] = 0
		})}, verify.CheckSums},

		{"a wrong running sum", lie{cheater: &cheater{
			logUp: func(m matrices, _ []goldilocks.Extension) { add(&m[steps][0][7], 1) }}}, verify.CheckQuotient},
		{"a wrong running sum, last coordinate, last row", lie{cheater: &cheater{
			logUp: func(m matrices, _ []goldilocks.Extension) { add(&m[squares][2][1<<toySquaresLog-1], 1) }}},
			verify.CheckQuotient},
		{"a running sum that does not come back to its start", lie{cheater: &cheater{
			logUp: func(m matrices, claimed []goldilocks.Extension) {
				// Every row's step is right for the other claim, except the step from the last row to the first.
				for row := range 1 << toyStepsLog {
					add(&m[steps][0][row], goldilocks.Element(row).Neg())
				}
				addExtension(&claimed[steps], goldilocks.Extension{1 << toyStepsLog})
				addExtension(&claimed[squares], goldilocks.Extension{minus(1 << toyStepsLog)})
			}}}, verify.CheckQuotient},
		{"a wrong claimed sum", lie{cheater: &cheater{
			logUp: func(_ matrices, claimed []goldilocks.Extension) {
				addExtension(&claimed[steps], goldilocks.Extension{0, 1})
			}}}, verify.CheckSums},
		{"two wrong claimed sums that cancel", lie{cheater: &cheater{
			logUp: func(_ matrices, claimed []goldilocks.Extension) {
				addExtension(&claimed[steps], goldilocks.Extension{0, 1})
				addExtension(&claimed[squares], goldilocks.Extension{0, minus(1)})
			}}}, verify.CheckQuotient},
		{"two claimed sums in each other's place", lie{cheater: &cheater{
			logUp: func(_ matrices, claimed []goldilocks.Extension) {
				claimed[steps], claimed[squares] = claimed[squares], claimed[steps]
			}}}, verify.CheckQuotient},

		{"a wrong quotient, lower half", lie{cheater: &cheater{
			quotient: func(m matrices) { add(&m[smallClass][0][1], 1) }}}, verify.CheckQuotient},
		{"a wrong quotient, upper half", lie{cheater: &cheater{
			quotient: func(m matrices) { add(&m[stepsClass][5][1], 1) }}}, verify.CheckQuotient},

		{"a wrong main value at z", lie{cheater: &cheater{
			openings: func(o *protocol.Openings) {
				addExtension(&o[protocol.Main][squares].Current[squaresX], goldilocks.Extension{1})
			}}}, verify.CheckQuotient},
		{"a wrong main value at gz", lie{cheater: &cheater{
			openings: func(o *protocol.Openings) { addExtension(&o[protocol.Main][steps].Next[0], goldilocks.Extension{1}) }}},
			verify.CheckQuotient},
		{"a wrong preprocessed value at z", lie{cheater: &cheater{
			openings: func(o *protocol.Openings) {
				addExtension(&o[protocol.Fixed][small].Current[0], goldilocks.Extension{1})
			}}}, verify.CheckQuotient},
		{"a wrong preprocessed value at gz", lie{cheater: &cheater{
			openings: func(o *protocol.Openings) {
				addExtension(&o[protocol.Fixed][small].Next[0], goldilocks.Extension{1})
			}}}, verify.CheckQuotient},
		// Three base columns are one extension column. These change the columns without changing the latter, so that
		// every constraint holds at z and only the DEEP quotient is not a polynomial.
		{"wrong quotient values at z that agree with the constraints", lie{cheater: &cheater{
			openings: func(o *protocol.Openings) { hide(o[protocol.Quotient][smallClass].Current) }}}, verify.CheckFolds},
		{"wrong auxiliary values at z that agree with the constraints", lie{cheater: &cheater{
			openings: func(o *protocol.Openings) { hide(o[protocol.Auxiliary][steps].Current) }}}, verify.CheckFolds},
		{"wrong running sums at gz that agree with the constraints", lie{cheater: &cheater{
			openings: func(o *protocol.Openings) { hide(o[protocol.Auxiliary][squares].Next) }}}, verify.CheckFolds},

		// Another polynomial of low degree, which FRI itself accepts.
		{"a wrong DEEP codeword of the largest class", lie{cheater: &cheater{
			deep: func(c cpu.Access) { addToAll(c.Current(), 1) }}}, verify.CheckFolds},
		{"a wrong DEEP codeword that joins later", lie{cheater: &cheater{
			deep: func(c cpu.Access) {
				addToAll(joiningAt(c, toyStepsLog), 1)
			}}}, verify.CheckFolds},
		{"a wrong first fold", lie{cheater: &cheater{
			folded: func(fold int, c cpu.Access) { addAt(c, fold == 0) }}}, verify.CheckFolds},
		{"a wrong second fold", lie{cheater: &cheater{
			folded: func(fold int, c cpu.Access) { addAt(c, fold == 1) }}}, verify.CheckFolds},
		{"a layer changed after its commitment", lie{cheater: &cheater{
			layer: func(layer int, columns [][]goldilocks.Element) {
				if layer == 1 {
					for _, column := range columns {
						for i := range column {
							add(&column[i], 1)
						}
					}
				}
			}}}, verify.CheckLayers},
		{"a DEEP codeword of too high degree", lie{cheater: &cheater{
			deep: func(c cpu.Access) {
				codeword := c.Current()
				for i := range codeword.C[0] {
					// The sign alternates with the sign of y, in bit-reversed order: y^(n/2), far above the degree.
					add(&codeword.C[0][i], []goldilocks.Element{1, minus(1)}[i&1])
				}
			}}}, verify.CheckFolds},
		{"a DEEP codeword of one degree too many", lie{cheater: &cheater{
			deep: func(c cpu.Access) { addMonomial(c.Current(), 1<<toySquaresLog) }}}, verify.CheckFolds},
		{"a DEEP codeword of one degree too many that joins later", lie{cheater: &cheater{
			deep: func(c cpu.Access) { addMonomial(joiningAt(c, toyStepsLog), 1<<toyStepsLog) }}}, verify.CheckFolds},
		{"a DEEP codeword that joins last, of the degree of larger ones", lie{cheater: &cheater{
			deep: func(c cpu.Access) { addMonomial(joiningAt(c, toyCubesLog), 1<<toyCubesLog+1) }}}, verify.CheckFolds},
		{"a final polynomial with one more coefficient", lie{cheater: &cheater{
			final: func(f []goldilocks.Extension) []goldilocks.Extension { return append(f, goldilocks.Extension{1}) }}},
			verify.CheckShape},
		{"a final polynomial with one more coefficient, zero", lie{cheater: &cheater{
			final: func(f []goldilocks.Extension) []goldilocks.Extension { return append(f, goldilocks.Extension{}) }}},
			verify.CheckShape},
		{"a final polynomial with one coefficient less", lie{cheater: &cheater{
			final: func(f []goldilocks.Extension) []goldilocks.Extension { return f[:len(f)-1] }}}, verify.CheckShape},
		{"a wrong final polynomial", lie{cheater: &cheater{
			final: func(f []goldilocks.Extension) []goldilocks.Extension {
				addExtension(&f[0], goldilocks.Extension{1})
				return f
			}}}, verify.CheckFolds},

		{"a nonce that does not pass", lie{cheater: &cheater{
			grind: func(seed [32]byte, bits int, nonce uint64) uint64 {
				for nonce++; transcript.NoncePasses(seed, nonce, bits); nonce++ {
				}
				return nonce
			}}}, verify.CheckNonce},
		{"two opened rows in each other's place", lie{cheater: &cheater{
			gather: func(g *backend.Gathered) {
				first, second := g.Phases[protocol.Main].Rows[0].Row(0), g.Phases[protocol.Main].Rows[0].Row(1)
				for i := range first {
					first[i], second[i] = second[i], first[i]
				}
			}}}, verify.CheckOpenings},
		{"two opened instances in each other's place", lie{cheater: &cheater{
			gather: func(g *backend.Gathered) {
				rows := g.Phases[protocol.Main].Rows
				rows[steps], rows[squares] = rows[squares], rows[steps]
			}}}, verify.CheckOpenings},
		{"one query less, main columns", lie{cheater: &cheater{
			gather: func(g *backend.Gathered) { dropRow(&g.Phases[protocol.Main]) }}}, verify.CheckOpenings},
		{"one query less, fixed columns", lie{cheater: &cheater{
			gather: func(g *backend.Gathered) { dropRow(&g.Phases[protocol.Fixed]) }}}, verify.CheckOpenings},
		{"one query less, first FRI layer", lie{cheater: &cheater{
			gather: func(g *backend.Gathered) { dropRow(&g.Layers[0]) }}}, verify.CheckLayers},
		{"a wrong row, auxiliary columns", lie{cheater: &cheater{
			gather: func(g *backend.Gathered) { add(&g.Phases[protocol.Auxiliary].Rows[0].Cells[0], 1) }}},
			verify.CheckOpenings},
		{"a missing sibling", lie{cheater: &cheater{
			gather: func(g *backend.Gathered) {
				o := &g.Phases[protocol.Quotient]
				o.Siblings = o.Siblings[:len(o.Siblings)-1]
			}}}, verify.CheckOpenings},
		{"a sibling too many", lie{cheater: &cheater{
			gather: func(g *backend.Gathered) {
				o := &g.Layers[len(g.Layers)-1]
				o.Siblings = append(o.Siblings, merkle.Digest{})
			}}}, verify.CheckLayers},
	} {
		t.Run(tc.name, func(t *testing.T) { tc.lie.caught(t, tc.by) })
	}
}

// The running sum is free up to a constant: a proof with another start proves the same.
func TestAnotherStartOfTheRunningSum(t *testing.T) {
	proof, key := lie{cheater: &cheater{logUp: func(m matrices, _ []goldilocks.Extension) {
		for row := range 1 << toyStepsLog {
			add(&m[steps][1][row], 5)
		}
	}}}.prove(t)
	accepted(t, proof, key)
}

// Without checks of bounds and heights, a receiver that gets a message p times would balance a sender that never sends
// it, and vice versa.
func TestBoundsThatWrapAreRefused(t *testing.T) {
	const steps, squares = goldilocks.Modulus >> toyStepsLog, goldilocks.Modulus >> toySquaresLog
	for name, tc := range map[string]struct {
		options toyOptions
		refused bool
	}{
		"senders":               {toyOptions{stepBound: steps + 1}, true},
		"senders, just below":   {toyOptions{stepBound: steps - 1}, false},
		"receivers":             {toyOptions{squareBound: squares + 1}, true},
		"receivers, just below": {toyOptions{squareBound: squares - 1}, false},
		// The public message makes it p.
		"senders and the verifier": {toyOptions{stepBound: steps}, true},
	} {
		t.Run(name, func(t *testing.T) {
			l := lie{key: newKey(t, newToy(tc.options))}
			if tc.refused {
				l.caught(t, verify.CheckBuses)
				return
			}
			proof, key := l.prove(t)
			accepted(t, proof, key)
		})
	}
}

// A finished proof cannot take another nonce, even one that passes: its queries are at other positions.
func TestAnotherNonce(t *testing.T) {
	another := uint64(0)
	proof, key := lie{cheater: &cheater{grind: func(seed [32]byte, bits int, nonce uint64) uint64 {
		for another = nonce + 1; !transcript.NoncePasses(seed, another, bits); another++ {
		}
		return nonce
	}}}.prove(t)
	proof.Nonce = another
	rejected(t, proof, key, verify.CheckOpenings)
}

func firstOf[A, B any](a A, _ B) A { return a }

func addAt(a cpu.Access, now bool) {
	if now {
		addToAll(a.Current(), 1)
	}
}
