package blake

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// rounds is table Work being declared: a row is a round.
type rounds struct {
	*circuit
	b       *air.Builder
	columns map[string][]air.Expr
	place   []air.Expr
	goesOn  air.Expr // 1 where the next row is the next round
	active  air.Expr // 1 in a row of a call
}

// lane is a word of the state on its way through quarter rounds: its limbs, and its bytes where those are known.
type lane struct{ limbs, bytes []air.Expr }

func (c *circuit) work(b *air.Builder) {
	r := &rounds{circuit: c, b: b, columns: map[string][]air.Expr{}}
	for _, f := range c.families() {
		if f.count == 1 {
			r.columns[f.name] = []air.Expr{b.Main(f.name)}
		} else {
			r.columns[f.name] = b.MainColumns(f.name, f.count)
		}
	}
	r.place = r.columns["place"]
	last := len(r.place) - 1
	r.goesOn = b.Sum(r.place[:last]...)
	r.active = r.goesOn.Add(r.place[last])
	r.places()
	state := r.state()
	r.serve(0, r.place[0], append(r.limbs(state), r.columns["m"]...))
	for i := range Quarters {
		r.quarter(i, state)
	}
	r.serve(c.firstOut(), r.place[last], r.limbs(state))
	r.next(state)
	r.blockGoesOn()
}

// places declares that the rows of a call follow one another: where a call begins place 0 is 1, and it moves on until
// the last. The call's time stays.
func (r *rounds) places() {
	r.b.AssertBoolean("place[0] is boolean", r.place[0])
	r.b.AssertBoolean("a row has one place at most", r.active)
	for i := range r.place[1:] {
		r.b.AssertEqual(fmt.Sprintf("place[%d] follows", i+1), r.place[i+1].Next(), r.place[i])
	}
	time := r.columns["time"][0]
	r.b.When(r.goesOn).AssertEqual("the time stays", time.Next(), time)
}

// state are the lanes before the round.
func (r *rounds) state() (list []*lane) {
	for _, name := range []string{"a", "b", "c", "d"} {
		for i := range 4 {
			w := new(lane)
			if name == "b" || name == "d" {
				w.bytes = r.columns[name][i*r.Bytes():][:r.Bytes()]
				w.limbs = r.limbsOf(r.b, w.bytes)
			} else {
				w.limbs = r.columns[name][i*r.Limbs:][:r.Limbs]
			}
			list = append(list, w)
		}
	}
	return list
}

// limbs are those of all lanes.
func (r *rounds) limbs(state []*lane) (list []air.Expr) {
	for _, w := range state {
		list = append(list, w.limbs...)
	}
	return list
}

// serve answers with parts of a call, where a place is 1.
func (r *rounds) serve(first int, place air.Expr, limbs []air.Expr) {
	r.each(r.b, first, r.columns["time"][0], limbs, func(p part) { r.parts.Serve(r.b, place, p) })
}

// of are the bytes of what quarter round i computes by a name, as a lane.
func (r *rounds) of(name string, i int) *lane {
	bytes := r.columns[name][i*r.Bytes():][:r.Bytes()]
	return &lane{r.limbsOf(r.b, bytes), bytes}
}

// quarter declares quarter round i, and makes the lanes those behind it.
func (r *rounds) quarter(i int, state []*lane) {
	ia, ib, ic, id := lanes(i)
	a, b, c, d := state[ia], state[ib], state[ic], state[id]
	m := r.columns["m"][2*i*r.Limbs:]
	mx, my := &lane{limbs: m[:r.Limbs]}, &lane{limbs: m[r.Limbs : 2*r.Limbs]}

	a1, x1 := r.of("a1", i), r.of("x1", i)
	r.sum(fmt.Sprintf("a1[%d]", i), a1, a, b, mx)
	r.isXor(d, a1, x1)
	d1 := r.moved(x1, 0)
	c1, x2 := r.of("c1", i), r.of("x2", i)
	r.sum(fmt.Sprintf("c1[%d]", i), c1, c, d1)
	r.isXor(b, c1, x2)
	b1 := r.turnedLane("b1", 1, i, x2)
	a2, x3 := r.of("a2", i), r.of("x3", i)
	r.sum(fmt.Sprintf("a2[%d]", i), a2, a1, b1, my)
	r.isXor(d1, a2, x3)
	d2 := r.moved(x3, 2)
	c2, x4 := r.of("c2", i), r.of("x4", i)
	r.sum(fmt.Sprintf("c2[%d]", i), c2, c1, d2)
	r.isXor(b1, c2, x4)
	state[ia], state[ib], state[ic], state[id] = a2, r.turnedLane("b2", 3, i, x4), c2, d2
}

// isXor asks whether z is the exclusive or of x and y, which also says that all three are bytes.
func (r *rounds) isXor(x, y, z *lane) {
	for i := range z.bytes {
		r.lookups.Bytes(r.b, r.active, r.b.Constant(opXor), x.bytes[i], y.bytes[i], z.bytes[i])
	}
}

// sum declares that a word is the sum of two or three, modulo 2^32 or 2^64. What is carried out of a limb is an
// expression, of which a constraint says that it is 0, 1 or, of three words, 2.
func (r *rounds) sum(name string, sum *lane, words ...*lane) {
	carry := r.b.Constant(0)
	half := goldilocks.Element(1 << LimbBits).Inverse()
	for k, limb := range sum.limbs {
		total := carry.Sub(limb)
		for _, w := range words {
			total = total.Add(w.limbs[k])
		}
		carry = total.Mul(r.b.ConstantElement(half))
		says := carry.Mul(carry.SubConstant(1))
		if len(words) == 3 {
			says = says.Mul(carry.SubConstant(2))
		}
		r.b.AssertZero(fmt.Sprintf("%s: limb %d is the sum's", name, k), says)
	}
}

// moved is a word turned by whole bytes.
func (r *rounds) moved(x *lane, rotation int) *lane {
	n := r.Bytes()
	bytes := make([]air.Expr, n)
	for i := range bytes {
		bytes[i] = x.bytes[(i+r.Rotations[rotation]/8)%n]
	}
	return &lane{r.limbsOf(r.b, bytes), bytes}
}

// turnedLane is a word turned by a rotation: where that is no move of bytes the bytes have columns.
func (r *rounds) turnedLane(name string, rotation, i int, x *lane) *lane {
	if r.whole(rotation) {
		return r.moved(x, rotation)
	}
	turned := r.of(name, i)
	if r.Limbs == 1 {
		r.turns32(turned, x, r.Rotations[rotation])
	} else {
		r.doubles(fmt.Sprintf("%s[%d]", name, i), turned, x)
	}
	return turned
}

// turns32 says that y is x turned to the right by n: 2^n y = x + t (2^32 - 1) for a t below 2^n.
func (r *rounds) turns32(y, x *lane, n int) {
	t := y.limbs[0].Scale(1 << n).Sub(x.limbs[0]).Mul(r.b.ConstantElement(inverse(LimbBits)))
	r.lookups.Range16(r.b, r.active, t.Scale(1<<(16-n)))
}

// doubles says that y of 64 bits is x turned to the left by 1: with t the bits that leave the limbs,
//
//	y_0 = 2 x_0 - 2^32 t_0 + t_1,  y_1 = 2 x_1 - 2^32 t_1 + t_0.
func (r *rounds) doubles(name string, y, x *lane) {
	var gone [2]air.Expr // 2^32 t_k - t_{1-k}
	for k := range gone {
		gone[k] = x.limbs[k].Double().Sub(y.limbs[k])
	}
	for k := range gone {
		t := gone[k].Scale(1 << LimbBits).Add(gone[1-k]).Mul(r.b.ConstantElement(inverse(2 * LimbBits)))
		r.b.AssertBoolean(fmt.Sprintf("%s: what leaves limb %d is a bit", name, k), t)
	}
}

// next hands the state to the next round.
func (r *rounds) next(state []*lane) {
	columns := append(append([]air.Expr{}, r.columns["a"]...), r.columns["b"]...)
	columns = append(append(columns, r.columns["c"]...), r.columns["d"]...)
	var values []air.Expr
	for i, w := range state {
		if i/4%2 == 1 {
			values = append(values, w.bytes...)
		} else {
			values = append(values, w.limbs...)
		}
	}
	for i, column := range columns {
		r.b.When(r.goesOn).AssertEqual(fmt.Sprintf("cell %d of the state goes on", i), column.Next(), values[i])
	}
}

// blockGoesOn hands the block to the next round, in the order in which that takes it.
func (r *rounds) blockGoesOn() {
	m := r.columns["m"]
	for i := range Words {
		from := map[int][]air.Expr{} // places, by the word that comes from there
		for round := range r.Rounds() - 1 {
			k := r.moves(round)[i]
			from[k] = append(from[k], r.place[round])
		}
		for l := range r.Limbs {
			sum := r.b.Constant(0)
			for k := range Words {
				if len(from[k]) > 0 {
					sum = sum.Add(r.b.Sum(from[k]...).Mul(m[k*r.Limbs+l]))
				}
			}
			r.b.AssertEqual(fmt.Sprintf("m[%d] goes on", i*r.Limbs+l), r.goesOn.Mul(m[i*r.Limbs+l].Next()), sum)
		}
	}
}
