package cpu

import (
	"fmt"
	"runtime/debug"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/ntt"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// proof is one proof being computed.
type proof struct {
	owner *prover
	pool  *parallel.Pool
	shape *protocol.Shape
	order *backend.Order

	points    *points
	parts     layoutParts
	workspace *workspace
	phases    [protocol.PhaseCount]committed
	kept      keptColumns

	public     circuit.Public
	challenges protocol.LogUpChallenges
	claimed    []goldilocks.Extension // of the instances with interactions, in order
	z          goldilocks.Extension
	openings   protocol.Openings

	ignoreMisses bool // see [Access.IgnoreMisses]

	layers  []*layer
	current *codeword
	joining map[int]*codeword // by size
}

// committed are the columns of a phase by instance, or by class, and once they are committed to their tree.
type committed struct {
	columns [][][]goldilocks.Element // each as long as the extension domain
	loan    loan                     // the quotient's, of the workspace
	tree    *merkle.Tree
}

func newProof(owner *prover, shape *protocol.Shape) *proof {
	p := &proof{owner: owner, pool: owner.pool, shape: shape, order: backend.NewOrder(shape),
		points: newPoints(shape.MaxLogSize())}
	p.parts = owner.memory.reserve(layoutOf(shape))
	p.workspace = newWorkspace(p.parts.workspace)
	p.phases[protocol.Main].columns = layOut(p.parts.main, matrixSizes(shape, protocol.Main))
	p.phases[protocol.Auxiliary].columns = layOut(p.parts.auxiliary, matrixSizes(shape, protocol.Auxiliary))
	for phase, made := range owner.preprocessed {
		if made == nil {
			continue
		}
		if made.values == nil {
			owner.fillValues(protocol.Phase(phase), made)
		}
		p.phases[phase].tree = made.tree
		for _, instance := range shape.Instances {
			p.phases[phase].columns = append(p.phases[phase].columns, made.columns[instance.Table])
		}
	}
	return p
}

// fault has memory backed with pages that are going to be written to, where a prover for one proof has left them to
// this moment.
func (p *proof) fault(words []goldilocks.Element) {
	if p.owner.once {
		populateOnce(p.pool, words, &p.owner.pages)
	}
}

// program is the compiled table of an instance.
func (p *proof) program(instance int) *tableProgram {
	return p.owner.programs[p.shape.Instances[instance].Table]
}

// Trace fills the main columns at the front of their extensions.
func (p *proof) Trace(execution machine.Execution) error {
	return p.order.Run(backend.StepTrace, func() error {
		if p.shape.Machine.ReadsPublic() {
			p.public = execution.Public()
		}
		p.fault(p.parts.main)
		for i := range p.shape.Instances {
			t := p.shape.Table(i)
			columns := prefixes(p.phases[protocol.Main].columns[i], p.shape.Rows(i))
			if err := p.owner.fillers.Tables[p.shape.Instances[i].Table].Fill(p.pool, execution, i, columns); err != nil {
				return fmt.Errorf("table %s: %w", t.Name, err)
			}
			for k := range t.Lookups {
				for lane := range t.Lookups[k].Lanes {
					clear(columns[t.Lookups[k].CountColumn+lane])
				}
			}
		}
		return nil
	})
}

// Commit extends the columns in place and hashes the rows.
func (p *proof) Commit(phase protocol.Phase) (hashes []merkle.Digest, err error) {
	step, err := backend.CommitStep(phase)
	if err != nil {
		return nil, err
	}
	err = p.order.Run(step, func() error {
		extend := ntt.Extend
		switch phase {
		case protocol.Main:
			if p.owner.once {
				debug.FreeOSMemory() // of what the tables were filled from
			}
			p.keepMain()
		case protocol.Quotient:
			if p.owner.once {
				debug.FreeOSMemory() // from here on memory is highest: what computing the quotient left goes first
			}
			extend = ntt.ExtendCoefficients
		}
		tree, err := p.owner.commit(phase, p.phases[phase].columns, extend)
		if err != nil || tree == nil {
			return err
		}
		p.phases[phase].tree, hashes = tree, tree.Cap()
		return nil
	})
	return hashes, err
}

// Gather opens all trees.
func (p *proof) Gather(plans *protocol.Plans) (result *backend.Gathered, err error) {
	err = p.order.Run(backend.StepGather, func() error {
		result = new(backend.Gathered)
		for phase, plan := range plans.Phases {
			tree := p.phases[phase].tree
			if (plan == nil) != (tree == nil) {
				return fmt.Errorf("cpu: gather: a plan for the %s tree: %t, the tree: %t", protocol.Phase(phase),
					plan != nil, tree != nil)
			}
			if plan != nil {
				result.Phases[phase] = tree.Open(plan)
			}
		}
		if len(plans.Layers) != len(p.layers) {
			return fmt.Errorf("cpu: gather: plans for %d layers, want %d", len(plans.Layers), len(p.layers))
		}
		for i, plan := range plans.Layers {
			result.Layers = append(result.Layers, p.layers[i].tree.Open(plan))
		}
		return nil
	})
	return result, err
}

// Close gives the memory back to the prover.
func (p *proof) Close() {
	if !p.order.Close() {
		return
	}
	if p.owner.once {
		p.owner.memory.empty(p.pool)
	}
	*p = proof{owner: p.owner, order: p.order}
	p.owner.active = nil
}

// inBlocks calls body on blocks of at most block entries that cover [0, n), in
// parallel.
func inBlocks(pool *parallel.Pool, n, block int, body func(lo, hi int)) {
	pool.For(n, block, func(lo, hi int) {
		for start := lo; start < hi; start += block {
			body(start, min(start+block, hi))
		}
	})
}

// blockRows is how many of n rows make a block, at most most, so that small tables
// keep all workers busy too.
func blockRows(pool *parallel.Pool, n, most int) int {
	const least = 32
	rows := most
	for rows > least && n < 2*rows*pool.Workers() {
		rows /= 2
	}
	return rows
}
