package keccak

import (
	"encoding/binary"

	"github.com/chiasmus/chiasmus/prover/circuit"
	circuits "github.com/chiasmus/chiasmus/prover/circuit/keccak"
	host "github.com/chiasmus/chiasmus/prover/fill/host/keccak"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/keccak"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// Forgery is a false execution that breaks one rule of the machine and keeps all others, for tests of provers and
// verifiers. A proof from it must be rejected, and a machine without that rule would accept it.
type Forgery struct {
	Rule      string // in words
	Check     string // the constraint, the bus (as "bus NAME") or "public values" that catches it
	Execution machine.Execution
}

// Forgeries makes one forgery for each rule of the sponge, from a file that
// takes four permutations.
func Forgeries(minLogHeight int) ([]Forgery, error) {
	d, err := build()
	if err != nil {
		return nil, err
	}
	var list []Forgery
	for _, rule := range sponges() {
		instances, err := (&program{definition: d}).Estimate(4, minLogHeight, nil)
		if err != nil {
			return nil, err
		}
		f := newForger(instances)
		rule.forge(f)
		list = append(list, Forgery{rule.name, rule.check, f.execution(rule.change)})
	}
	return list, nil
}

// spongeRow is a row of a forged sponge table.
type spongeRow struct {
	state, block, output [lanes]uint64 // block is zero in the capacity
	active               uint64
	padding              int // the byte where the padding begins, or -1
	length               uint64
}

// forger absorbs a file as the machine does. Every step can be changed.
type forger struct {
	rows      []spongeRow
	inputs    []uint64 // of the keccak-f table
	length    uint64
	instances []circuit.Instance
}

// newForger starts from the rows of a true file of 3*136 + 5 bytes. absorb computes the outputs.
func newForger(instances []circuit.Instance) *forger {
	f := &forger{length: 3*rateBytes + 5, instances: instances}
	for p := range 4 {
		row := spongeRow{active: 1, padding: -1, length: uint64(p) * rateBytes}
		for i := range rateLanes {
			row.block[i] = uint64(p*rateLanes+i+1) * 0x9E3779B97F4A7C15
		}
		f.rows = append(f.rows, row)
	}
	f.pad(5)
	return f
}

// pad pads the last row from a byte on.
func (f *forger) pad(from int) {
	row := &f.rows[len(f.rows)-1]
	row.padding = from
	var bytes [rateBytes]byte
	for i := range rateLanes {
		binary.LittleEndian.PutUint64(bytes[8*i:], row.block[i])
	}
	clear(bytes[from:])
	bytes[from] ^= 0x01
	bytes[rateBytes-1] ^= 0x80
	for i := range rateLanes {
		row.block[i] = binary.LittleEndian.Uint64(bytes[8*i:])
	}
}

// absorb computes states and outputs from row first on. change, if it is not nil, modifies each state that is passed
// on.
func (f *forger) absorb(first int, change func(row int, state *[lanes]uint64)) {
	for r := first; r < len(f.rows); r++ {
		row := &f.rows[r]
		if r > 0 {
			row.state = f.rows[r-1].output
		}
		if change != nil {
			change(r, &row.state)
		}
		row.output = row.mixed()
		f.inputs = append(f.inputs, row.output[:]...)
		keccak.Permute(&row.output)
	}
}

func (r *spongeRow) mixed() [lanes]uint64 {
	mixed := r.state
	for i := range rateLanes {
		mixed[i] ^= r.block[i]
	}
	return mixed
}

// final returns the row whose output is the digest: the first that is padded, or else the last.
func (f *forger) final() *spongeRow {
	for r := range f.rows {
		if f.rows[r].padding >= 0 {
			return &f.rows[r]
		}
	}
	return &f.rows[len(f.rows)-1]
}

// columnChange edits the filled columns of one table, and the public values.
type columnChange struct {
	table   int
	columns func(columns [][]goldilocks.Element)
	public  func(public []goldilocks.Element)
}

func (f *forger) execution(change columnChange) machine.Execution {
	e := &forgedExecution{forger: f, change: change, public: publicOf(&f.final().output, f.length)}
	if change.public != nil {
		change.public(e.public)
	}
	return e
}

// forgedExecution fills the columns that a forger has prepared.
type forgedExecution struct {
	machine.OnHost
	forger *forger
	change columnChange
	public []goldilocks.Element
}

func (e *forgedExecution) Public() circuit.Public { return circuit.Public{Values: e.public} }

func (e *forgedExecution) Instances() []circuit.Instance { return e.forger.instances }

func (e *forgedExecution) Records() [][]uint64 { return nil }

// FillTable writes the columns of a table.
func (e *forgedExecution) FillTable(pool *parallel.Pool, table int, columns [][]goldilocks.Element) {
	switch table {
	case tableSponge:
		e.forger.fillSponge(columns)
	case tablePermutation:
		host.FillPermutations(&circuits.OwnForm, pool, columns, e.forger.inputs)
	}
	if e.change.columns != nil && e.change.table == table {
		e.change.columns(columns)
	}
}

// fillSponge writes the rows cell by cell. The rows after them repeat the length after the last row.
func (f *forger) fillSponge(columns [][]goldilocks.Element) {
	to := circuits.SpongeOf(columns)
	for _, column := range columns {
		clear(column)
	}
	for r := range f.rows {
		row := &f.rows[r]
		mixed := row.mixed()
		for k := range circuits.RateNibbles {
			lane, shift := k/16, k%16*circuits.NibbleBits
			to.State[k][r] = goldilocks.Element(row.state[lane] >> shift & 15)
			to.Block[k][r] = goldilocks.Element(row.block[lane] >> shift & 15)
			to.Mixed[k][r] = goldilocks.Element(mixed[lane] >> shift & 15)
		}
		for k := range circuits.CapacityWords {
			to.Capacity[k][r] = goldilocks.Element(circuits.Words[circuits.RateWords+k].Of(&row.state))
		}
		for k, word := range circuits.Words {
			to.Output[k][r] = goldilocks.Element(word.Of(&row.output))
		}
		to.Active[r] = goldilocks.Element(row.active)
		if row.padding >= 0 {
			to.Lane[row.padding/8][r], to.Byte[row.padding%8][r] = 1, 1
		}
		to.Length[r] = goldilocks.Element(row.length)
	}
	last := f.rows[len(f.rows)-1]
	if last.active == 1 && last.padding < 0 {
		last.length += rateBytes
	}
	for r := len(f.rows); r < len(to.Length); r++ {
		to.Length[r] = goldilocks.Element(last.length)
	}
}
