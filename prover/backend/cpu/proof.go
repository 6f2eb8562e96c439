package cpu

import (
	"errors"
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// proof is a proof being computed. It holds the state that lasts from Begin to Close. State that one stage passes to
// the next is in the stages' types, in stages.go.
type proof struct {
	owner  *prover
	pool   *parallel.Pool
	shape  *protocol.Shape
	closed bool

	points    *points
	parts     layoutParts
	workspace *workspace
	phases    [protocol.PhaseCount]committed

	ignoreMisses bool // see [Access.IgnoreMisses]
}

// committed holds the columns of a phase, by instance or by class, and their tree once they are committed to.
type committed struct {
	columns [][][]goldilocks.Element // each as long as the extension domain
	loan    loan                     // of workspace memory, by the quotient
	tree    *merkle.Tree
}

func newProof(owner *prover, shape *protocol.Shape) *proof {
	p := &proof{owner: owner, pool: owner.pool, shape: shape, points: newPoints(shape.MaxLogSize())}
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

// fault populates memory that is about to be written to, if the prover is for one proof. Other provers have populated
// it earlier.
func (p *proof) fault(words []goldilocks.Element) {
	if p.owner.once {
		populateOnce(p.pool, words, &p.owner.pages)
	}
}

// program returns the compiled table of an instance.
func (p *proof) program(instance int) *tableProgram {
	return p.owner.programs[p.shape.Instances[instance].Table]
}

// Trace fills the main columns at the front of their extensions.
func (p *proof) Trace(execution machine.Execution) (backend.Traced, error) {
	if !slices.Equal(execution.Instances(), p.shape.Instances) {
		return nil, errors.New("the execution has other instances than the proof")
	}
	next := &traced{proof: p}
	if p.shape.Machine.ReadsPublic() {
		next.public = execution.Public().Values
	}
	p.fault(p.parts.main)
	for i := range p.shape.Instances {
		t := p.shape.Table(i)
		columns := prefixes(p.phases[protocol.Main].columns[i], p.shape.Rows(i))
		if err := p.owner.fillers.Tables[p.shape.Instances[i].Table].Fill(p.pool, execution, i, columns); err != nil {
			return nil, fmt.Errorf("table %s: %w", t.Name, err)
		}
		for k := range t.Lookups {
			for lane := range t.Lookups[k].Lanes {
				clear(columns[t.Lookups[k].CountColumn+lane])
			}
		}
	}
	return next, nil
}

// Close returns the memory to the prover.
func (p *proof) Close() {
	if p.closed {
		return
	}
	if p.owner.once {
		p.owner.memory.empty(p.pool)
	}
	*p = proof{owner: p.owner, closed: true}
	p.owner.active = nil
}

// inBlocks calls body in parallel on blocks of at most block entries that cover [0, n).
func inBlocks(pool *parallel.Pool, n, block int, body func(lo, hi int)) {
	pool.For(n, block, func(lo, hi int) {
		for start := lo; start < hi; start += block {
			body(start, min(start+block, hi))
		}
	})
}

// blockRows returns the number of rows in a block, for a table of n rows: at most most, and fewer for small tables, to
// keep all workers busy.
func blockRows(pool *parallel.Pool, n, most int) int {
	const least = 32
	rows := most
	for rows > least && n < 2*rows*pool.Workers() {
		rows /= 2
	}
	return rows
}
