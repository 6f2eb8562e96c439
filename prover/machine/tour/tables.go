package tour

import (
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// The tables.
const (
	Step = iota
	Rest
	Office
	Dial
	RoadTable
	Cubes
)

func (b *buses) step() *air.Builder {
	t := air.NewTable("step")
	t.Instances(0, air.MaxInstances)
	on, place, time, total := t.Main("on"), t.Main("place"), t.Main("time"), t.Main("total")
	way, next, toll, paid := t.Main("choice"), t.Main("next"), t.Main("toll"), t.Main("paid")
	t.AssertBoolean("on is boolean", on)
	t.WhenTransition().AssertZero("off stays off", on.Next().Mul(on.Not()))
	b.walker.Consume(t, on, walker{place, time, total})
	b.walker.Produce(t, on, walker{next, time.AddConstant(1), total.Add(paid)})
	b.choice.Consume(t, on, choice{time, way})
	b.road.Ask(t, on, road{place, way, next, toll})
	b.ranged.Ask(t, on, ranged{toll})
	b.pay.Call(t, on, pay{time, toll, paid})
	return t
}

// resting is the choice of a rest.
const resting = 2

func (b *buses) rest() *air.Builder {
	t := air.NewTable("rest")
	t.Instances(0, 4)
	on, place, time, total := t.Main("on"), t.Main("place"), t.Main("time"), t.Main("total")
	t.AssertBoolean("on is boolean", on)
	b.walker.Consume(t, on, walker{place, time, total})
	b.walker.Produce(t, on, walker{place, time.AddConstant(1), total})
	b.choice.Consume(t, on, choice{time, t.Constant(resting)})
	return t
}

// blockRows is the number of rows of the office per call, and weights are the factors of the toll in these rows.
const blockRows = 4

var weights = [blockRows]uint64{1, 2, 3, 4}

func (b *buses) office() *air.Builder {
	t := air.NewTable("office")
	t.Instances(0, air.MaxInstances)
	t.Heights(2, air.MaxLogHeight)
	start, keep := t.Periodic("start", 1, 0, 0, 0), t.Periodic("keep", 1, 1, 1, 0)
	weight := t.Periodic("next weight", weights[1], weights[2], weights[3], 0)
	on, time, toll, sum := t.Main("on"), t.Main("time"), t.Main("toll"), t.Main("sum")
	x, y, z := t.Main("x"), t.Main("y"), t.Main("z")
	t.AssertBoolean("on is boolean", on)
	t.AssertZero("on in the last row of a block", keep.Mul(on))
	t.AssertZero("the sum starts with the toll", start.Mul(sum.Sub(toll)))
	t.AssertZero("the toll is held", keep.Mul(toll.Next().Sub(toll)))
	t.AssertZero("the sum adds up", keep.Mul(sum.Next().Sub(sum).Sub(weight.Mul(toll))))
	t.When(on).AssertEqual("the toll is x + 4y", toll, x.Add(y.Scale(4)))
	b.pay.Serve(t, on, pay{time, toll, sum.Add(z)})
	b.mixed.Ask(t, on, mixed{x, y, z})
	return t
}

// The dial's rows: tolls, then x and y with their exclusive or, then nothing.
const (
	dialLog  = 8
	tolls    = MaxToll + 1
	mixFirst = tolls
	mixRows  = 16
)

func (b *buses) dial() *air.Builder {
	t := air.NewTable("dial")
	t.Heights(dialLog, dialLog)
	value, x, y, z := t.Preprocessed("value"), t.Preprocessed("x"), t.Preprocessed("y"), t.Preprocessed("z")
	isToll, isMix, count := t.Preprocessed("is toll"), t.Preprocessed("is mix"), t.Main("count")
	t.FillPreprocessed(fillDial)
	b.ranged.Answer(t, count, air.Rows{Count: tolls, Weights: []uint64{1}, Only: isToll}, ranged{value})
	b.mixed.Answer(t, count, air.Rows{First: mixFirst, Count: mixRows, Weights: []uint64{1, 4, 0}, Only: isMix},
		mixed{x, y, z})
	return t
}

func fillDial(columns [][]goldilocks.Element) {
	for _, column := range columns {
		clear(column)
	}
	for row := range tolls {
		columns[0][row], columns[4][row] = goldilocks.Element(row), 1
	}
	for i := range mixRows {
		x, y := i%4, i/4
		for c, v := range map[int]int{1: x, 2: y, 3: x ^ y, 5: 1} {
			columns[c][mixFirst+i] = goldilocks.Element(v)
		}
	}
}

// roads declares the program's table, filled from a map, or empty if only its height is known.
func (b *buses) roads(logHeight int, of *Map) *air.Builder {
	t := air.NewTable("road")
	t.Heights(minRoadLog, maxRoadLog)
	place, way, next := t.Preprocessed("place"), t.Preprocessed("choice"), t.Preprocessed("next")
	toll, only, count := t.Preprocessed("toll"), t.Preprocessed("only"), t.Main("count")
	index := &air.Index{Field: 0, Choice: 1, Base: FirstPlace, Stride: PlaceStride}
	if of == nil {
		t.FillProgram(logHeight, nil)
	} else {
		t.FillProgram(logHeight, of.fill)
		_, index.Entries = of.rows()
	}
	b.road.Answer(t, count, air.Rows{Only: only, Index: index}, road{place, way, next, toll})
	return t
}

// cubesMaxLog bounds the work of the device's filler, which computes each row from the first one.
const cubesMaxLog = 12

func cubes() *air.Builder {
	t := air.NewTable("cubes")
	t.Instances(1, 2)
	t.Heights(1, cubesMaxLog)
	c := t.Main("c")
	t.WhenFirst().AssertEqual("c starts at two", c, t.Constant(2))
	t.WhenTransition().AssertEqual("c is cubed", c.Next(), c.Square().Mul(c))
	return t
}
