package generate

import (
	"cmp"
	"slices"

	"github.com/chiasmus/chiasmus/prover/air"
)

// compare orders cells.
func (l leaf) compare(other leaf) int {
	next := func(l leaf) int {
		if l.next {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(l.op, other.op), cmp.Compare(l.column, other.column), cmp.Compare(next(l), next(other)))
}

// Limits of a cluster, for the registers that its cells and sums take.
const (
	maxClusterPieces = 12
	maxClusterCells  = 16
	// A cell that more pieces read than this is in the cache whenever it is read: it ties no pieces together.
	commonCell = 16
)

// cluster is pieces that are evaluated together because they read the same cells.
type cluster []*piece

// clusters groups pieces greedily. A cluster starts with the first remaining piece and repeatedly takes the piece that
// shares most cells with it, as long as at least half of that piece's cells are already read. Pieces of the same form
// with the same neighbours therefore form equal clusters, and clusters become runs.
func clusters(pieces []*piece) []cluster {
	readers := map[leaf][]int{}
	for i, p := range pieces {
		for _, cell := range p.cells {
			readers[cell] = append(readers[cell], i)
		}
	}
	taken := make([]bool, len(pieces))
	var list []cluster
	for i := range pieces {
		if taken[i] {
			continue
		}
		g := &grower{pieces: pieces, readers: readers, taken: taken, cells: map[leaf]bool{}}
		g.take(i)
		for len(g.members) < maxClusterPieces {
			best := g.best()
			if best < 0 {
				break
			}
			g.take(best)
		}
		list = append(list, g.members)
	}
	return list
}

// grower grows one cluster.
type grower struct {
	pieces  []*piece
	readers map[leaf][]int
	taken   []bool
	members cluster
	cells   map[leaf]bool
	order   []leaf
}

func (g *grower) take(i int) {
	g.taken[i] = true
	g.members = append(g.members, g.pieces[i])
	for _, cell := range g.pieces[i].cells {
		if !g.cells[cell] {
			g.cells[cell] = true
			g.order = append(g.order, cell)
		}
	}
}

// best returns the piece that shares most with the cluster relative to what it adds, or -1.
func (g *grower) best() int {
	best, bestShared, bestAdded := -1, 0, 0
	seen := map[int]bool{}
	for _, cell := range g.order {
		if len(g.readers[cell]) > commonCell {
			continue
		}
		for _, i := range g.readers[cell] {
			if g.taken[i] || seen[i] {
				continue
			}
			seen[i] = true
			shared, added := g.overlap(g.pieces[i])
			if shared < added || len(g.cells)+added > maxClusterCells {
				continue
			}
			// More shared for each added, then the earlier piece.
			left, right := shared*(bestAdded+1), bestShared*(added+1)
			if best < 0 || left > right || left == right && i < best {
				best, bestShared, bestAdded = i, shared, added
			}
		}
	}
	return best
}

// overlap counts the cells that a piece shares with the cluster and those that it adds, common ones left out.
func (g *grower) overlap(p *piece) (shared, added int) {
	for _, cell := range p.cells {
		switch {
		case len(g.readers[cell]) > commonCell:
		case g.cells[cell]:
			shared++
		default:
			added++
		}
	}
	return shared, added
}

// loneSteps is the length at which straight-line code for clusters of different forms is cut.
const loneSteps = 160

// joinLone joins the pieces of clusters whose form no other cluster has, in order, so that they share intermediate
// values.
func joinLone(shaper *shaper, list []cluster) []cluster {
	count := map[string]int{}
	keys := make([]string, len(list))
	for i, c := range list {
		keys[i] = c.key(shaper)
		count[keys[i]]++
	}
	var result []cluster
	var lone []*piece
	for i, c := range list {
		if count[keys[i]] > 1 {
			result = append(result, c)
		} else {
			lone = append(lone, c...)
		}
	}
	slices.SortStableFunc(lone, func(a, b *piece) int { return cmp.Compare(a.weight.Constraint, b.weight.Constraint) })
	var open cluster
	for _, p := range lone {
		if joined := append(slices.Clip(open), p); len(open) == 0 || len(shaper.of(joined.nodes()).steps) <= loneSteps {
			open = joined
			continue
		}
		result = append(result, open)
		open = cluster{p}
	}
	if len(open) > 0 {
		result = append(result, open)
	}
	return result
}

func (c cluster) nodes() []air.NodeID {
	nodes := make([]air.NodeID, len(c))
	for j, p := range c {
		nodes[j] = p.node
	}
	return nodes
}

// key is equal for clusters of one form.
func (c cluster) key(shaper *shaper) string {
	return c.selectors() + string(shaper.of(c.nodes()).key())
}

// selectors returns the selectors of the pieces, one character each.
func (c cluster) selectors() string {
	var key []byte
	for _, p := range c {
		key = append(key, '0'+byte(p.selector))
	}
	return string(key)
}
