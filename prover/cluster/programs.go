package cluster

import (
	"sync"

	"github.com/chiasmus/chiasmus/internal/bus"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// programs caches the latest programs with their keys. Jobs of one program share them, and so share the device's
// prover: a prover accepts only shards of its own key's machine, not of an equal machine that was built again from the
// same bytes.
type programs struct {
	build Build

	mu   sync.Mutex
	list []builtProgram
}

// keptPrograms is the number of cached programs: one for each cached run, and an aggregator with two sets of
// parameters.
const keptPrograms = keptRuns + 2

// programID identifies the inputs of a program and its key.
type programID struct {
	machine string
	file    bus.Digest // zero: none
	params  protocol.Params
}

type builtProgram struct {
	id programID
	work
}

// get returns a job's program and key, without a run.
func (p *programs) get(machine string, file []byte, params protocol.Params) (*work, error) {
	id := programID{machine: machine, params: params}
	if file != nil {
		id.file = bus.DigestOf(file)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, known := range p.list {
		if known.id == id {
			return &work{program: known.program, key: known.key}, nil
		}
	}
	program, err := p.build(machine, file)
	if err != nil {
		return nil, err
	}
	w, err := newWork(program, params)
	if err != nil {
		return nil, err
	}
	if p.list = append(p.list, builtProgram{id, *w}); len(p.list) > keptPrograms {
		p.list = p.list[1:]
	}
	return w, nil
}
