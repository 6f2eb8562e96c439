package blake

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// rounds declares table Work, in which a row is a round.
type rounds struct {
	*circuit
	b         *air.Builder
	columns   map[string][]air.Expr
	place     []air.Expr
	continues air.Expr // 1 where the next row is the next round
	active    air.Expr // 1 in the rows of calls
}

// lane is a word of the state between quarter rounds: its limbs, and its bytes if they are available, else nil.
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
	r.continues = b.Sum(r.place[:last]...)
	r.active = r.continues.Add(r.place[last])
	r.places()
	state := r.state()
	r.serve(0, r.place[0], append(r.limbs(state), r.columns["m"]...))
	for i := range Quarters {
		r.quarter(i, state)
	}
	r.serve(c.firstOut(), r.place[last], r.limbs(state))
	r.next(state)
	r.nextBlock()
}

// places declares the places of consecutive rows. In the first row of a call place 0 is 1; each next row has the next
// place, up to the last. The time stays the same within a call.
func (r *rounds) places() {
	r.b.AssertBoolean("place[0] is boolean", r.place[0])
	r.b.AssertBoolean("a row has one place at most", r.active)
	for i := range r.place[1:] {
		r.b.AssertEqual(fmt.Sprintf("place[%d] follows", i+1), r.place[i+1].Next(), r.place[i])
	}
	time := r.columns["time"][0]
	r.b.When(r.continues).AssertEqual("the time stays", time.Next(), time)
}

// state returns the lanes before the round.
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

// limbs returns the limbs of all lanes.
func (r *rounds) limbs(state []*lane) (list []air.Expr) {
	for _, w := range state {
		list = append(list, w.limbs...)
	}
	return list
}

// serve receives limbs as parts of a call, numbered from first, in rows where place is 1.
func (r *rounds) serve(first int, place air.Expr, limbs []air.Expr) {
	r.each(r.b, first, r.columns["time"][0], limbs, func(p part) { r.parts.Serve(r.b, place, p) })
}

// of returns the lane of the value with this name that quarter round i computes.
func (r *rounds) of(name string, i int) *lane {
	bytes := r.columns[name][i*r.Bytes():][:r.Bytes()]
	return &lane{r.limbsOf(r.b, bytes), bytes}
}

// quarter declares quarter round i, and updates the lanes to those after it.
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
	b1 := r.rotatedLane("b1", 1, i, x2)
	a2, x3 := r.of("a2", i), r.of("x3", i)
	r.sum(fmt.Sprintf("a2[%d]", i), a2, a1, b1, my)
	r.isXor(d1, a2, x3)
	d2 := r.moved(x3, 2)
	c2, x4 := r.of("c2", i), r.of("x4", i)
	r.sum(fmt.Sprintf("c2[%d]", i), c2, c1, d2)
	r.isXor(b1, c2, x4)
	state[ia], state[ib], state[ic], state[id] = a2, r.rotatedLane("b2", 3, i, x4), c2, d2
}

// isXor declares that z is the exclusive or of x and y, which implies that all three consist of bytes.
func (r *rounds) isXor(x, y, z *lane) {
	for i := range z.bytes {
		r.lookups.Bytes(r.b, r.active, r.b.Constant(accelerator.OpXor), x.bytes[i], y.bytes[i], z.bytes[i])
	}
}

// sum declares that a word is the sum of two or three words, modulo 2^32 or 2^64. The carry out of a limb is an
// expression, and a constraint says that it is 0, 1 or, with three words, 2.
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

// moved returns a word rotated by whole bytes.
func (r *rounds) moved(x *lane, rotation int) *lane {
	n := r.Bytes()
	bytes := make([]air.Expr, n)
	for i := range bytes {
		bytes[i] = x.bytes[(i+r.Rotations[rotation]/8)%n]
	}
	return &lane{r.limbsOf(r.b, bytes), bytes}
}

// rotatedLane returns a rotated word. If the rotation does not move whole bytes, the result's bytes have columns.
func (r *rounds) rotatedLane(name string, rotation, i int, x *lane) *lane {
	if r.whole(rotation) {
		return r.moved(x, rotation)
	}
	rotated := r.of(name, i)
	if r.Limbs == 1 {
		r.rotates32(rotated, x, r.Rotations[rotation])
	} else {
		r.doubles(fmt.Sprintf("%s[%d]", name, i), rotated, x)
	}
	return rotated
}

// rotates32 declares that y is x rotated to the right by n: 2^n y = x + t (2^32 - 1) for some t below 2^n.
func (r *rounds) rotates32(y, x *lane, n int) {
	t := y.limbs[0].Scale(1 << n).Sub(x.limbs[0]).Mul(r.b.ConstantElement(inverse(LimbBits)))
	r.lookups.Range16(r.b, r.active, t.Scale(1<<(16-n)))
}

// doubles declares that the 64-bit word y is x rotated to the left by 1. With t the bits shifted out of the limbs,
//
//	y_0 = 2 x_0 - 2^32 t_0 + t_1,  y_1 = 2 x_1 - 2^32 t_1 + t_0.
func (r *rounds) doubles(name string, y, x *lane) {
	var out [2]air.Expr // 2^32 t_k - t_{1-k}
	for k := range out {
		out[k] = x.limbs[k].Double().Sub(y.limbs[k])
	}
	for k := range out {
		t := out[k].Scale(1 << LimbBits).Add(out[1-k]).Mul(r.b.ConstantElement(inverse(2 * LimbBits)))
		r.b.AssertBoolean(fmt.Sprintf("%s: what leaves limb %d is a bit", name, k), t)
	}
}

// next passes the state to the next round.
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
		r.b.When(r.continues).AssertEqual(fmt.Sprintf("cell %d of the state goes on", i), column.Next(), values[i])
	}
}

// nextBlock passes the block to the next round, in that round's order.
func (r *rounds) nextBlock() {
	m := r.columns["m"]
	for i := range Words {
		from := map[int][]air.Expr{} // places of the rounds after which word i comes from word k, by k
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
			r.b.AssertEqual(fmt.Sprintf("m[%d] goes on", i*r.Limbs+l), r.continues.Mul(m[i*r.Limbs+l].Next()), sum)
		}
	}
}
