package fib

import (
	"github.com/chiasmus/chiasmus/prover/circuit"
	circuits "github.com/chiasmus/chiasmus/prover/circuit/fib"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
)

// execution is the start and the end of the sequence. Rows are computed on demand.
type execution struct {
	machine.OnHost
	start     circuits.Row
	public    []goldilocks.Element
	instances []circuit.Instance
}

func newExecution(a0, b0 goldilocks.Element, rows, minLogHeight int) (machine.Execution, error) {
	logHeight, err := logRows(rows, minLogHeight)
	if err != nil {
		return nil, err
	}
	e := &execution{start: circuits.Row{A: a0, B: b0}, instances: []circuit.Instance{{LogHeight: logHeight}}}
	e.public = []goldilocks.Element{circuits.PublicA0: a0, circuits.PublicB0: b0,
		circuits.PublicResult: e.start.After(uint64(rows - 1)).B}
	return e, nil
}

func (e *execution) Public() circuit.Public { return circuit.Public{Values: e.public} }

func (e *execution) Instances() []circuit.Instance { return e.instances }

// Records returns the inputs: a0 and b0.
func (e *execution) Records() [][]uint64 {
	return [][]uint64{{uint64(e.start.A), uint64(e.start.B)}}
}

// Start returns the first row.
func (e *execution) Start() circuits.Row { return e.start }
