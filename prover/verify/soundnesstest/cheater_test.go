package soundnesstest

import (
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/backendtest"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// matrices are live columns: by instance (of the quotient by class), column and row.
type matrices = [][][]goldilocks.Element

// cheater is the CPU backend with lies. Each function receives the honest result, and may change it. A nil function
// does not lie.
type cheater struct {
	backend.Host
	trace func(matrices) // main columns before lookups are counted
	count func(matrices) // and after
	// Auxiliary columns and the claimed sums of the instances with interactions.
	logUp    func(matrices, []goldilocks.Extension)
	quotient func(matrices)           // quotient columns
	openings func(*protocol.Openings) // at z and gz
	deep     func(cpu.Access)         // codewords before the first fold
	layer    func(layer int, columns [][]goldilocks.Element)
	folded   func(fold int, access cpu.Access) // after a fold
	final    func([]goldilocks.Extension) []goldilocks.Extension
	grind    func(seed [32]byte, bits int, nonce uint64) uint64
	gather   func(*backend.Gathered)

	program []merkle.Digest // the claimed cap of the program's columns; nil for the true cap
}

func (c *cheater) Name() string   { return "cheater" }
func (c *cheater) Device() string { return "no device" }

func (c *cheater) Open(f *machine.Fillers, params protocol.Layout, budget backend.Budget) (backend.Prover, error) {
	return backendtest.Hooked{Backend: cpu.New(parallel.New(1)), Hooks: c.hooks()}.Open(f, params, budget)
}

// columns are live columns in the length of the trace, before they are committed to.
func columns(stage any, phase protocol.Phase) (live matrices) {
	for i, columns := range accessTo(stage).Columns(phase) {
		live = append(live, nil)
		for _, column := range columns {
			live[i] = append(live[i], column[:len(column)>>params().LogBlowup])
		}
	}
	return live
}

func accessTo(stage any) cpu.Access {
	access, ok := cpu.AccessTo(stage)
	if !ok {
		panic("the CPU backend's proof is not its own")
	}
	return access
}

// hooks apply the lies.
func (c *cheater) hooks() *backendtest.Hooks {
	h := &backendtest.Hooks{Begin: func(_ []circuit.Instance, p backend.Proof) error {
		accessTo(p).IgnoreMisses() // a cheater continues if no lookup table answers a message
		return nil
	}}
	if c.program != nil {
		h.Caps = func(fixed, _ []merkle.Digest) ([]merkle.Digest, []merkle.Digest) { return fixed, c.program }
	}
	if c.trace != nil {
		h.Trace = func(p backend.Traced) error { c.trace(columns(p, protocol.Main)); return nil }
	}
	if c.count != nil {
		h.Count = func(p backend.Columns[backend.Main]) error { c.count(columns(p, protocol.Main)); return nil }
	}
	if c.logUp != nil {
		h.LogUp = func(claimed []goldilocks.Extension, p backend.Columns[backend.Witness]) error {
			c.logUp(columns(p, protocol.Auxiliary), claimed)
			return nil
		}
	}
	if c.quotient != nil {
		h.Quotient = func(p backend.Columns[backend.Committed]) error {
			c.quotient(columns(p, protocol.Quotient))
			return nil
		}
	}
	c.hookFolds(h)
	return h
}

// hookFolds applies the lies about openings, codewords and queries.
func (c *cheater) hookFolds(h *backendtest.Hooks) {
	if c.openings != nil {
		h.Open = func(openings *protocol.Openings, _ backend.Opened) error { c.openings(openings); return nil }
	}
	if c.deep != nil {
		h.Deep = func(p backend.Codeword) error { c.deep(accessTo(p)); return nil }
	}
	if c.layer != nil {
		h.Layer = func(number int, _ []merkle.Digest, p backend.Layer) error {
			c.layer(number, accessTo(p).Layer(number))
			return nil
		}
	}
	if c.folded != nil {
		h.Fold = func(number int, p backend.Codeword) error { c.folded(number, accessTo(p)); return nil }
	}
	if c.final != nil {
		h.Final = func(f []goldilocks.Extension) ([]goldilocks.Extension, error) { return c.final(f), nil }
	}
	if c.grind != nil {
		h.Grind = func(seed [32]byte, bits int, nonce *uint64) error { *nonce = c.grind(seed, bits, *nonce); return nil }
	}
	if c.gather != nil {
		h.Gather = func(_ *protocol.Plans, _ func() []byte, g *backend.Gathered) error { c.gather(g); return nil }
	}
}
