package sha256

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Layout of table Work.
const (
	WordBits   = 32
	WordsOfRow = 4               // words of each of the sequences A, E and W in a row
	RoundRows  = 64 / WordsOfRow // rows of rounds in a call
	// Rows is the number of rows of table Work that a call takes: one for the state before the first round, then the
	// rows of the rounds.
	Rows = 1 + RoundRows
	// Given is the number of rows of rounds whose words of W come from the block.
	Given = 16 / WordsOfRow

	// Modulus is the modulus of all sums.
	Modulus = 1 << WordBits
)

// word is the bits of a word, the lowest first.
type word []air.Expr

// rounds declares table Work; see the package documentation.
type rounds struct {
	b     *air.Builder
	time  air.Expr
	place []air.Expr

	a, e, w [2 * WordsOfRow]word // the words of the row, then those of the next row

	first, second, third []air.Expr // partial sums of the schedule, passed down

	scheduleLow, scheduleHigh, eLow, eHigh, aLow, aHigh []air.Expr // carries into the next row
}

func (own *buses) work(b *air.Builder) {
	r := &rounds{b: b, time: b.Main("time"), place: b.MainColumns("place", Rows)}
	r.a, r.e, r.w = r.sequence("a"), r.sequence("e"), r.sequence("w")
	r.first, r.second = b.MainColumns("first", WordsOfRow), b.MainColumns("second", WordsOfRow)
	r.third = b.MainColumns("third", WordsOfRow)
	r.scheduleLow, r.scheduleHigh = b.MainColumns("scheduleLow", WordsOfRow), b.MainColumns("scheduleHigh", WordsOfRow)
	r.eLow, r.eHigh = b.MainColumns("eLow", WordsOfRow), b.MainColumns("eHigh", WordsOfRow)
	r.aLow, r.aHigh = b.MainColumns("aLow", WordsOfRow), b.MainColumns("aHigh", WordsOfRow)
	r.places()
	for j := range WordsOfRow {
		r.delay(j)
		r.schedule(j)
		r.round(j)
	}
	r.serve(own)
}

// sequence declares the bits of four words in a row.
func (r *rounds) sequence(name string) (list [2 * WordsOfRow]word) {
	columns := r.b.MainColumns(name, WordsOfRow*WordBits)
	for i, bit := range columns {
		r.b.AssertBoolean(fmt.Sprintf("%s[%d] is boolean", name, i), bit)
		list[i/WordBits] = append(list[i/WordBits], bit)
		list[WordsOfRow+i/WordBits] = append(list[WordsOfRow+i/WordBits], bit.Next())
	}
	return list
}

// places declares the places of consecutive rows. In the first row of a call place 0 is 1; each next row has the next
// place, up to the last. The time stays the same within a call.
func (r *rounds) places() {
	r.b.AssertBoolean("place[0] is boolean", r.place[0])
	r.b.AssertBoolean("a row has one place at most", r.b.Sum(r.place...))
	for i := range RoundRows {
		r.b.AssertEqual(fmt.Sprintf("place[%d] follows", i+1), r.place[i+1].Next(), r.place[i])
	}
	r.b.When(r.continues()).AssertEqual("the time stays", r.time.Next(), r.time)
}

// continues returns an expression that is 1 if the next row is one of rounds.
func (r *rounds) continues() air.Expr { return r.b.Sum(r.place[:RoundRows]...) }

// pack returns a word as a number.
func (r *rounds) pack(w word) air.Expr { return r.b.Pack(1, w...) }

// delay passes W_{i-16} + sigma0(W_{i-15}) + W_{i-7} down to the row before that of W_i, where j is i mod 4.
func (r *rounds) delay(j int) {
	r.b.AssertEqual(fmt.Sprintf("first[%d]", j), r.first[j].Next(), r.pack(r.w[j]).Add(r.small(r.w[j+1], 7, 18, 3)))
	r.b.AssertEqual(fmt.Sprintf("second[%d]", j), r.second[j].Next(), r.first[j])
	r.b.AssertEqual(fmt.Sprintf("third[%d]", j), r.third[j].Next(), r.second[j].Add(r.pack(r.w[j+1])))
}

// schedule declares that word j of the next row is the schedule's. If the next row's words come from the block, or the
// next row has no rounds, the carry may be any element, and so may the word.
func (r *rounds) schedule(j int) {
	low, high := r.scheduleLow[j], r.scheduleHigh[j]
	r.b.AssertBoolean(fmt.Sprintf("scheduleLow[%d] is boolean", j), low)
	bound := r.b.When(r.b.Sum(r.place[Given:RoundRows]...))
	bound.AssertZero(fmt.Sprintf("scheduleHigh[%d] is boolean", j), high.Square().Sub(high))
	sum := r.third[j].Add(r.small(r.w[j+2], 17, 19, 10))
	carried := low.Add(high.Double()).Scale(Modulus)
	r.b.AssertEqual(fmt.Sprintf("w[%d] is the schedule's", j), r.pack(r.w[WordsOfRow+j]).Add(carried), sum)
}

// round declares word j of A and E in the next row. If the next row has no rounds, the carries may be any elements.
func (r *rounds) round(j int) {
	continues := r.continues()
	a, b, c, d := r.a[j+3], r.a[j+2], r.a[j+1], r.a[j]
	e, f, g, h := r.e[j+3], r.e[j+2], r.e[j+1], r.e[j]
	newA, newE := r.pack(r.a[WordsOfRow+j]), r.pack(r.e[WordsOfRow+j])

	low, high := r.eLow[j], r.eHigh[j]
	r.b.AssertZero(fmt.Sprintf("eLow[%d] is 0, 1 or 2", j), low.Mul(low.SubConstant(1)).Mul(low.SubConstant(2)))
	r.b.When(continues).AssertZero(fmt.Sprintf("eHigh[%d] is boolean", j), high.Square().Sub(high))
	sum := r.b.Sum(r.pack(d), r.pack(h), r.large(e, 6, 11, 25), r.pack(r.choice(e, f, g)), r.constant(j))
	sum = sum.Add(r.pack(r.w[WordsOfRow+j]))
	r.b.AssertEqual(fmt.Sprintf("e[%d]", j), newE.Add(low.Add(high.Scale(3)).Scale(Modulus)), sum)

	low, high = r.aLow[j], r.aHigh[j]
	r.b.AssertBoolean(fmt.Sprintf("aLow[%d] is boolean", j), low)
	r.b.When(continues).AssertZero(fmt.Sprintf("aHigh[%d] is boolean", j), high.Square().Sub(high))
	sum = r.b.Sum(newE, continues.Scale(Modulus), r.large(a, 2, 13, 22), r.pack(r.majority(a, b, c))).Sub(r.pack(d))
	r.b.AssertEqual(fmt.Sprintf("a[%d]", j), newA.Add(low.Add(high.Double()).Scale(Modulus)), sum)
}

// constant returns the constant K of round j of the next row.
func (r *rounds) constant(j int) air.Expr {
	sum := r.b.Constant(0)
	for i := range RoundRows {
		sum = sum.Add(r.place[i].Scale(uint64(RoundConstants[WordsOfRow*i+j])))
	}
	return sum
}

// large returns the exclusive or of three rotations of a word to the right, as a number.
func (r *rounds) large(w word, x, y, z int) air.Expr {
	return r.exclusiveOr(rotated(w, x), rotated(w, y), rotated(w, z))
}

// small is like large, but its last operand is a shift, not a rotation.
func (r *rounds) small(w word, x, y, shift int) air.Expr {
	return r.exclusiveOr(rotated(w, x), rotated(w, y), w[shift:])
}

// rotated returns w rotated to the right.
func rotated(w word, by int) word { return append(append(word{}, w[by:]...), w[:by]...) }

// exclusiveOr returns the exclusive or of three words, the last of which may be shorter, as a number. The sign of a bit
// x is 1 - 2x; the sign of an exclusive or is the product of the signs.
func (r *rounds) exclusiveOr(x, y, z word) air.Expr {
	sign := func(bit air.Expr) air.Expr { return bit.Double().Not() }
	signs := make([]air.Expr, WordBits)
	for i := range signs {
		signs[i] = sign(x[i]).Mul(sign(y[i]))
		if i < len(z) {
			signs[i] = signs[i].Mul(sign(z[i]))
		}
	}
	half := r.b.ConstantElement(goldilocks.Element(2).Inverse())
	return r.b.Constant(Modulus - 1).Sub(r.b.Pack(1, signs...)).Mul(half)
}

// choice returns f's bits where e's bits are 1, else g's.
func (r *rounds) choice(e, f, g word) word {
	chosen := make(word, WordBits)
	for i := range chosen {
		chosen[i] = e[i].Select(f[i], g[i])
	}
	return chosen
}

// majority returns the bits that at least two of the three words have: a's bits where b and c differ, else b's.
func (r *rounds) majority(a, b, c word) word {
	chosen := make(word, WordBits)
	for i := range chosen {
		chosen[i] = b[i].Xor(c[i]).Select(a[i], b[i])
	}
	return chosen
}

// serve receives the state before the first round, the state after the last, and the block in the first rows of rounds.
// A and E hold the state's words in reverse order.
func (r *rounds) serve(own *buses) {
	first, last := r.place[0], r.place[RoundRows]
	message := state{Time: r.time, Final: last}
	for i := range WordsOfRow {
		message.Words[i], message.Words[WordsOfRow+i] = r.pack(r.a[WordsOfRow-1-i]), r.pack(r.e[WordsOfRow-1-i])
	}
	own.state.Serve(r.b, first.Add(last), message)

	quarters := r.place[1 : 1+Given]
	block := part{Time: r.time, Quarter: r.b.Constant(0)}
	for q, place := range quarters {
		block.Quarter = block.Quarter.Add(place.Scale(uint64(q)))
	}
	for j := range block.Words {
		block.Words[j] = r.pack(r.w[j])
	}
	own.part.Serve(r.b, r.b.Sum(quarters...), block)
}
