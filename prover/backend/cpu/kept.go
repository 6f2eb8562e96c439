package cpu

import (
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// keptColumns holds copies of the values over the trace domain of those main columns that LogUp reads after they are
// extended.
type keptColumns struct {
	loan
	columns [][][]goldilocks.Element // by instance, nil where not kept
}

// keptElements returns the number of elements of the workspace that the kept columns take. LogUp writes only to the
// first n entries of each auxiliary column, so there is room for one kept column after them.
func keptElements(shape *protocol.Shape) int {
	total := 0
	for i := range shape.Instances {
		t := shape.Table(i)
		kept := len(protocol.KeptColumns(t, protocol.Main))
		total += max(kept-protocol.Width(t, protocol.Auxiliary), 0) * shape.Rows(i)
	}
	return total
}

// keepMain copies the main columns that the interactions read.
func (p *proof) keepMain() (all keptColumns) {
	all.loan = p.workspace.take(keptElements(p.shape))
	p.fault(all.words)
	p.fault(p.parts.auxiliary)
	words := all.words
	for i := range p.shape.Instances {
		n, list := p.shape.Rows(i), p.program(i).kept
		main, auxiliary := p.phases[protocol.Main].columns[i], p.phases[protocol.Auxiliary].columns[i]
		kept := make([][]goldilocks.Element, len(main))
		for k, column := range list {
			if k < len(auxiliary) {
				kept[column] = auxiliary[k][n : 2*n : 2*n]
			} else {
				kept[column], words = words[:n:n], words[n:]
			}
		}
		p.pool.Each(len(list), func(k int) { copy(kept[list[k]], main[list[k]]) })
		all.columns = append(all.columns, kept)
	}
	return all
}

// dropKept frees the columns over the trace domain, which nothing reads after LogUp. With once, it also frees the
// scratch memory of their readers.
func (p *mainStage) dropKept() {
	p.workspace.give(&p.kept.loan)
	p.kept = keptColumns{}
	if !p.owner.once {
		return
	}
	p.owner.dropValues()
	for _, program := range p.owner.programs {
		program.logUpBlocks.drop()
	}
	discard(p.pool, p.workspace.freeFrom(laterElements(p.shape)))
}
