package gpu

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// busRun is the part of a proof that fills and counts, on one backend.
type busRun struct {
	backend.Backend
	context   backend.Context
	committed backend.Commitments
	main      backend.Columns
	machine   *machine.Machine
}

// fillAndCount runs a proof up to the counted main columns.
func fillAndCount(b backend.Backend, ctx backend.Context, m *machine.Machine, witness machine.Witness) (r *busRun, err error) {
	r = &busRun{Backend: b, context: ctx, machine: m}
	if backend.Present(m, backend.Preprocessed) {
		if r.committed[backend.Preprocessed], _, err = b.Preprocessed(ctx); err != nil {
			return r, err
		}
	}
	if r.main, err = b.Trace(ctx, witness); err != nil {
		return r, err
	}
	return r, b.Count(ctx, r.main, r.committed[backend.Preprocessed], witness.Public())
}

// commitMain commits to the main columns. On a device it only keeps what LogUp reads, where it is: the software device hashes
// slowly.
func (r *busRun) commitMain() (err error) {
	if main, ok := r.main.(*columns); ok {
		r.committed[backend.Main], err = keptInPlace(r.context.(*proverContext), main)
		return err
	}
	keep := make([][]int, len(r.machine.Tables))
	for i, table := range r.machine.Tables {
		keep[i] = backend.KeptColumns(table, backend.Main)
	}
	r.committed[backend.Main], _, err = r.Commit(r.context, backend.Main, r.main, keep)
	return err
}

// keptInPlace is a commitment without extensions and tree, whose kept columns are the values that main columns begin
// with.
func keptInPlace(c *proverContext, main *columns) (*commitment, error) {
	result := &commitment{state: state{context: c}, matrices: main.matrices, kept: make([]map[int]kernels.Columns, len(main.tables))}
	for i, table := range c.shape.Machine.Tables {
		result.kept[i] = map[int]kernels.Columns{}
		for _, column := range backend.KeptColumns(table, backend.Main) {
			part, err := main.tables[i].Part(uint32(column), 1, c.height(i))
			if err != nil {
				return nil, err
			}
			result.kept[i][column] = part
		}
	}
	return result, nil
}

func (r *busRun) release() {
	r.Release(r.context, r.committed[backend.Preprocessed])
	if r.main != nil {
		r.Release(r.context, r.main)
	}
}

// compareBuses compares counts, auxiliary columns and claimed sums with the CPU's.
func compareBuses(t *testing.T, b *Backend, shape backend.Shape, witness machine.Witness, seed uint64) {
	t.Helper()
	reference := cpu.New(parallel.New(0))
	ctx, err := reference.Prepare(shape)
	if err != nil {
		t.Fatal(err)
	}
	want, err := fillAndCount(reference, ctx, shape.Machine, witness)
	if err != nil {
		t.Fatal(err)
	}
	c := prepare(t, b, shape)
	got, err := fillAndCount(b, c, shape.Machine, witness)
	if err != nil {
		t.Fatal(err, b.Finding())
	}
	defer got.release()
	compareWithCPU(t, c, got.main.(*columns), want.main, backend.Main)
	if err := errors.Join(want.commitMain(), got.commitMain()); err != nil {
		t.Fatal(err, b.Finding())
	}
	random := randomElements(seed, 6)
	challenges := backend.LogUpChallenges{Alpha: goldilocks.Extension(random[:3]), Beta: goldilocks.Extension(random[3:])}
	wantColumns, wantClaimed, err := reference.LogUp(ctx, want.committed, witness.Public(), challenges)
	if err != nil {
		t.Fatal(err)
	}
	gotColumns, gotClaimed, err := b.LogUp(c, got.committed, witness.Public(), challenges)
	if err != nil {
		t.Fatal(err, b.Finding())
	}
	defer b.Release(c, gotColumns)
	compareWithCPU(t, c, gotColumns.(*columns), wantColumns, backend.Auxiliary)
	if !slices.Equal(gotClaimed, wantClaimed) {
		t.Errorf("claimed sums %v, the CPU's %v", gotClaimed, wantClaimed)
	}
}

// compareWithCPU compares the values over the trace domain of all columns of a phase.
func compareWithCPU(t *testing.T, c *proverContext, got *columns, want backend.Columns, phase backend.Phase) {
	t.Helper()
	for i, table := range c.shape.Machine.Tables {
		n := c.height(i)
		matrix := cpu.Matrices(want)[i]
		if len(matrix) == 0 {
			continue
		}
		for k, column := range tableValues(t, c, got.tables[i], n) {
			if !slices.Equal(column, matrix[k][:n]) {
				row := 0
				for column[row] == matrix[k][row] {
					row++
				}
				t.Fatalf("table %s, %s column %d, row %d: %d, the CPU's %d (%s)", table.Name, phase, k, row, column[row], matrix[k][row], c.backend.Finding())
			}
		}
	}
}

func TestBusesOfTheMachines(t *testing.T) {
	for name, size := range map[string]int{"fib": 64, "keccak": 5} {
		t.Run(name, func(t *testing.T) {
			program, shape := shapeOf(t, name, size)
			everyDevice(t, true, func(t *testing.T, b *Backend) {
				compareBuses(t, b, shape, synthetic(t, program, size, 11, &shape), 12)
			})
		})
	}
}

var (
	pairBus = air.Bus{Name: "pair", Index: 1, Arity: 2}
	wideBus = air.Bus{Name: "wide", Index: 2, Arity: 5}
)

const pairLog, sayLog, hearLog = 5, 9, 3

// busMachine has every kind of message: a lookup table that says expressions of its columns, lookups with multiplicities of any
// size, of both kinds, of the next row and of public values, messages with many values and public messages. It has no
// constraints, and its buses need not balance.
func busMachine(t testing.TB) *machine.Machine {
	t.Helper()
	build := func(b *air.Builder) *air.Table {
		table, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return table
	}
	pair := air.NewTable("pair")
	pair.Heights(pairLog, pairLog)
	v := pair.Preprocessed("v")
	pair.FillPreprocessed(func(columns [][]goldilocks.Element) {
		for i := range columns[0] {
			columns[0][i] = goldilocks.Element(i)
		}
	})
	shift := pair.Main("shift")
	pair.LookupTable(pairBus, pair.Main("count"), []uint64{1, 0}, v, v.Add(shift).Add(pair.Constant(3)))

	say := air.NewTable("say")
	weight, x, y := say.Main("weight"), say.Main("x"), say.Main("y")
	say.Send(pairBus, weight, 1, x, x.Add(y))
	say.Receive(pairBus, weight.Mul(say.Public(0)), 1, x.Next(), x.Next().Add(y.Next()))
	for range sendsPerPart + 3 {
		say.Send(pairBus, say.Constant(1), 1, x, x.Add(y))
		say.Receive(wideBus, weight, 1, x, y, x.Add(weight), say.Public(1), x.Sub(y))
	}
	hear := air.NewTable("hear")
	h := hear.Main("h")
	hear.Receive(wideBus, h.Mul(h), 1, h, h.Next(), hear.Constant(goldilocks.Modulus-1), h.Double(), h)

	m := &machine.Machine{
		Name: "buses", Tables: []*air.Table{build(pair), build(say), build(hear)}, Buses: []air.Bus{pairBus, wideBus}, UnitRows: []int{0, 1, 1},
		PublicNames: []string{"factor", "value"},
		PublicMessages: func(public []goldilocks.Element) (messages []air.Message) {
			for i := range goldilocks.Element(3 * publicMessages / 2) {
				x := (i*i + public[1]) & (1<<pairLog - 1)
				messages = append(messages, air.Message{Bus: pairBus, Kind: air.Kind(i % 2), Multiplicity: public[0].Add(i), Values: []goldilocks.Element{x, pairOf(x)}})
			}
			return append(messages, air.Message{Bus: wideBus, Multiplicity: 1, Values: make([]goldilocks.Element, 5)})
		},
	}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	return m
}

// pairOf is the second value of the row of x.
func pairOf(x goldilocks.Element) goldilocks.Element { return x.Add(shiftOf(x)).Add(3) }

func shiftOf(x goldilocks.Element) goldilocks.Element {
	return x.Mul(goldilocks.Element(goldilocks.Modulus - 7))
}

// busWitness fills the tables at random from a seed.
type busWitness struct {
	seed uint64
	miss bool // one message is not in the table
}

func (w busWitness) Public() []goldilocks.Element { return randomElements(w.seed, 2) }
func (busWitness) LogHeights() []int              { return []int{pairLog, sayLog, hearLog} }
func (busWitness) Records(int) []uint64           { return nil }

func (w busWitness) Fill(_ *parallel.Pool, table int, columns [][]goldilocks.Element) error {
	random := rand.New(rand.NewPCG(w.seed, uint64(table)))
	for i := range columns[0] {
		switch table {
		case 0:
			columns[0][i] = shiftOf(goldilocks.Element(i))
		case 1:
			x := goldilocks.Element(random.Uint64N(1 << pairLog))
			if i >= 64 && i < 160 {
				x = 5 // whole warps that say the same
			}
			columns[1][i], columns[2][i] = x, pairOf(x).Sub(x)
			switch {
			case i >= 96 && i < 128:
				columns[0][i] = goldilocks.Element(goldilocks.Modulus - 2)
			case i%3 != 0:
				columns[0][i] = goldilocks.Element(random.Uint64N(goldilocks.Modulus))
			default:
				columns[0][i] = 0
			}
		default:
			columns[0][i] = goldilocks.Element(random.Uint64N(goldilocks.Modulus))
		}
	}
	if table == 1 && w.miss {
		columns[2][77] = columns[2][77].Add(1)
	}
	return nil
}

func busShape(t testing.TB) backend.Shape {
	return backend.Shape{Machine: busMachine(t), LogHeights: busWitness{}.LogHeights(), LogBlowup: 1, CapHeight: 1}
}

func TestBuses(t *testing.T) {
	shape := busShape(t)
	everyDevice(t, true, func(t *testing.T, b *Backend) {
		for seed := range uint64(3) {
			compareBuses(t, b, shape, busWitness{seed: seed}, seed+20)
		}
	})
}

// Rows are worked on some at a time where there is little memory for denominators.
func TestLogUpInSteps(t *testing.T) {
	shape := busShape(t)
	defer func(bytes uint64) { denominatorBytes = bytes }(denominatorBytes)
	denominatorBytes = 64 * 24 * uint64(len(shape.Machine.Tables[1].Batches))
	if rows := logUpRows(&shape, 1); rows != 64 {
		t.Fatalf("%d rows at a time, want 64", rows)
	}
	everyDevice(t, true, func(t *testing.T, b *Backend) { compareBuses(t, b, shape, busWitness{seed: 4}, 30) })
}

// A message that is not in the lookup table is an error that names it, and leaves nothing behind.
func TestLookupMiss(t *testing.T) {
	shape := busShape(t)
	everyDevice(t, true, func(t *testing.T, b *Backend) {
		witness := busWitness{seed: 2, miss: true}
		c := prepare(t, b, shape)
		run, err := fillAndCount(b, c, shape.Machine, witness)
		defer run.release()
		values := tableValues(t, c, run.main.(*columns).tables[1], 1<<sayLog)
		x, y := values[1][77], values[2][77]
		// The row before says the message too, as its next row's.
		want := fmt.Sprintf("bus pair: %d, sent by table say in row 76: %v", []uint64{uint64(x), uint64(x.Add(y))}, backend.ErrLookupMiss)
		if !errors.Is(err, backend.ErrLookupMiss) || err.Error() != want {
			t.Errorf("error %v, want %s; %s", err, want, b.Finding())
		}
	})
}

// wrongMessages is a machine one of whose public messages is not in the lookup table.
func TestLookupMissOfThePublicValues(t *testing.T) {
	shape := busShape(t)
	right := shape.Machine.PublicMessages
	shape.Machine.PublicMessages = func(public []goldilocks.Element) []air.Message {
		messages := right(public)
		messages[publicMessages+1].Values[0] = 1 << pairLog
		return messages
	}
	b := openBackend(t, Options{Seed: 9})
	run, err := fillAndCount(b, prepare(t, b, shape), shape.Machine, busWitness{seed: 1})
	defer run.release()
	if !errors.Is(err, backend.ErrLookupMiss) || !strings.HasPrefix(err.Error(), "bus pair: [32 ") || !strings.Contains(err.Error(), "sent by the public values") {
		t.Errorf("error %v", err)
	}
}

// Challenges that hit a message make a zero denominator, and the error names the table.
func TestZeroDenominator(t *testing.T) {
	shape := busShape(t)
	everyDevice(t, true, func(t *testing.T, b *Backend) {
		c := prepare(t, b, shape)
		witness := busWitness{seed: 6}
		run, err := fillAndCount(b, c, shape.Machine, witness)
		defer run.release()
		if err == nil {
			err = run.commitMain()
		}
		if err != nil {
			t.Fatal(err, b.Finding())
		}
		// A message of hear, row 6, on bus 2: alpha = -(2 + sum of beta^j v_j).
		cells := cut(make([]goldilocks.Element, 1<<hearLog), 1<<hearLog)
		if err := witness.Fill(nil, 2, cells); err != nil {
			t.Fatal(err)
		}
		h, next := cells[0][6], cells[0][7]
		beta := goldilocks.Extension(randomElements(3, 3))
		alpha, power := goldilocks.FromBase(2), goldilocks.Extension{1}
		for _, v := range []goldilocks.Element{h, next, goldilocks.Element(goldilocks.Modulus - 1), h.Double(), h} {
			power = power.Mul(beta)
			alpha = alpha.Add(power.MulBase(v))
		}
		before := c.arena.Used()
		_, _, err = b.LogUp(c, run.committed, witness.Public(), backend.LogUpChallenges{Alpha: alpha.Neg(), Beta: beta})
		if !errors.Is(err, backend.ErrZeroDenominator) || !strings.HasPrefix(err.Error(), "table hear: ") {
			t.Errorf("error %v; %s", err, b.Finding())
		}
		if used := c.arena.Used(); used != before {
			t.Errorf("%d bytes are taken after the failure, %d before", used, before)
		}
	})
}

// Rows of a large table go through the denominators' memory in steps.
func TestLogUpRows(t *testing.T) {
	shape := busShape(t)
	shape.LogHeights = []int{pairLog, 24, 28}
	for table, batches := range []uint64{1, uint64(len(shape.Machine.Tables[1].Batches)), 1} {
		rows := logUpRows(&shape, table)
		size := rows * batches * 24
		if all := uint64(1) << shape.LogHeights[table]; size > denominatorBytes || rows < all && 2*size <= denominatorBytes {
			t.Errorf("table %d: %d of %d rows at a time, %d bytes", table, rows, all, size)
		}
	}
	m, err := takeLogUp(cuda.PlanArena(cuda.ArenaOptions{}).Scope("test"), &shape)
	if err != nil || m.denominators.Size() > denominatorBytes {
		t.Errorf("%d bytes of denominators, %v", m.denominators.Size(), err)
	}
}
