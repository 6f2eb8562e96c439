package tour

import (
	"fmt"
	"math/bits"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
)

// recorded is the number of tables with a record set. The record set of a table has the table's number.
const recorded = Office + 1

// widths are the words per row of the record sets: the numbers of the tables' main columns.
var widths = [recorded]int{Step: 8, Rest: 4, Office: 7}

// execution is a walk.
type execution struct {
	machine.OnHost
	public    circuit.Public
	instances []circuit.Instance
	records   [recorded][]uint64
}

func (p *program) walk(choices []byte, minLogHeight int) (*execution, error) {
	e := &execution{}
	place, total := p.of.Entry, uint64(0)
	for time, c := range choices {
		if c == resting {
			e.records[Rest] = append(e.records[Rest], 1, numberOf(place), uint64(time), total)
			continue
		}
		roads := p.of.Places[place].Roads
		if int(c) >= len(roads) {
			return nil, fmt.Errorf("tour: choice %d is %d, and place %d has %d roads", time, c, place, len(roads))
		}
		taken := roads[c]
		paid := e.pay(uint64(time), uint64(taken.Toll))
		e.records[Step] = append(e.records[Step], 1, numberOf(place), uint64(time), total, uint64(c), numberOf(taken.Next),
			uint64(taken.Toll), paid)
		place, total = taken.Next, total+paid
	}
	e.public = circuit.Public{Values: []goldilocks.Element{goldilocks.Element(numberOf(place)), goldilocks.Element(total)},
		Data: choices}
	return e, e.cut(p.fillers.Machine, minLogHeight)
}

// pay computes the amount to pay for a toll, and records the office's rows.
func (e *execution) pay(time, toll uint64) (paid uint64) {
	x, y := toll%4, toll/4
	sum := uint64(0)
	for i, weight := range weights {
		sum += weight * toll
		on := uint64(0)
		if i == blockRows-1 {
			on = 1
		}
		e.records[Office] = append(e.records[Office], on, time, toll, sum, x, y, x^y)
	}
	return sum + (x ^ y)
}

// cut divides the rows of each table into instances of powers of two, the largest first.
func (e *execution) cut(m *circuit.Machine, minLogHeight int) error {
	for table := range m.Tables {
		rows := uint64(1)
		if table < recorded {
			rows = uint64(len(e.records[table]) / widths[table])
		}
		for placed := 0; rows > 0; placed++ {
			piece := uint64(1) << (bits.Len64(rows) - 1)
			if placed == m.Tables[table].MaxInstances-1 {
				piece = rows
			}
			logHeight, err := circuit.LogHeightFor(m.Tables[table], piece, minLogHeight)
			if err != nil {
				return fmt.Errorf("tour: %w", err)
			}
			e.instances = append(e.instances, circuit.Instance{Table: table, LogHeight: logHeight})
			rows -= min(rows, 1<<logHeight)
		}
	}
	last := e.instances[len(e.instances)-1]
	e.instances[len(e.instances)-1].LogHeight++ // the first of two cubes
	e.instances = append(e.instances, last)
	return m.CheckInstances(e.instances)
}

func (e *execution) Public() circuit.Public { return e.public }

func (e *execution) Instances() []circuit.Instance { return e.instances }

func (e *execution) Records() [][]uint64 { return e.records[:] }
