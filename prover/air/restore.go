package air

import (
	"errors"
	"fmt"
)

// Restore computes what follows from a table's canonical form: degrees, batches, the columns that are read at the next
// row or by interactions, and the height of fixed columns. The result is the declared table without FillPreprocessed.
// The caller sets the height of a program's table.
//
// Restore rejects references to absent nodes, columns and interactions, so that evaluating the table cannot fail. It
// does not repeat the other checks of [Builder.Build]: the caller must compare the table's canonical form with that of
// a built table.
func (t *Table) Restore() error {
	for id := range t.Graph {
		n := &t.Graph[id]
		if err := t.checkNode(NodeID(id), n); err != nil {
			return fmt.Errorf("table %s, node %d: %w", t.Name, id, err)
		}
		if n.Degree = leafDegree(n.Op); n.Op.IsBinary() {
			n.Degree = binaryDegree(n.Op, &t.Graph[n.A], &t.Graph[n.B])
		}
	}
	if err := t.checkReferences(); err != nil {
		return fmt.Errorf("table %s: %w", t.Name, err)
	}
	counts := transitionCounts(t.Graph)
	for i := range t.Constraints {
		c := &t.Constraints[i]
		c.Degree, c.Transitions = int(t.Graph[c.Root].Degree), int(counts[c.Root])
	}
	t.setColumns()
	t.makeBatches()
	if t.Kind == FixedPreprocessed {
		t.PreprocessedLogHeight = t.MinLogHeight
	}
	return nil
}

// checkNode checks a node's operation and its references.
func (t *Table) checkNode(id NodeID, n *Node) error {
	columns := 0
	switch n.Op {
	case Main:
		columns = len(t.Main)
	case Preprocessed:
		columns = len(t.Preprocessed)
	case Periodic:
		columns = len(t.Periodic)
	case Add, Sub, Mul:
		if n.A < 0 || n.A >= id || n.B < 0 || n.B >= id {
			return errors.New("an operand does not precede it")
		}
		return nil
	default:
		if n.Op >= opCount {
			return fmt.Errorf("unknown operation %d", n.Op)
		}
		return nil
	}
	if n.Column < 0 || int(n.Column) >= columns {
		return fmt.Errorf("%s column %d of %d", n.Op, n.Column, columns)
	}
	return nil
}

// checkReferences checks the nodes of constraints and interactions, and the interactions and columns of entries.
func (t *Table) checkReferences() (err error) {
	t.roots(func(id *NodeID) {
		if *id < 0 || int(*id) >= len(t.Graph) {
			err = fmt.Errorf("root %d of %d nodes", *id, len(t.Graph))
		}
	})
	for i := range t.Lookups {
		l := &t.Lookups[i]
		if l.Lanes < 1 || l.Interaction < 0 || l.Interaction+l.Lanes > len(t.Interactions) || l.CountColumn < 0 ||
			l.CountColumn+l.Lanes > len(t.Main) || l.Selector >= len(t.Preprocessed) {
			err = fmt.Errorf("entry %d refers to interactions or columns that do not exist", i)
		}
	}
	return err
}
