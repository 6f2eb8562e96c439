package goldilocks

// Long sums of base elements times extension elements: columns times weights,
// and the rows of a column times weights. The weights are prepared once, for
// many sums: kernels take them cut into limbs, so that products add up without
// a carry and only the sums are reduced.

const (
	limbsPerElement = 3
	limbBits        = 22

	// Products of a limb and half a word are below 2^54, so a word holds this
	// many of them.
	productsPerWord = 1 << 10
)

func appendLimbs(dst []uint64, e Element) []uint64 {
	const mask = 1<<limbBits - 1
	u := uint64(e)
	return append(dst, u&mask, u>>limbBits&mask, u>>(2*limbBits))
}

// Weights are extension elements, one for each column of a sum.
type Weights struct {
	elements []Extension
	limbs    []uint64 // by column, coordinate and limb; nil where no kernel takes them
}

// NewWeights prepares weights. It keeps the slice.
func NewWeights(elements []Extension) *Weights {
	w := &Weights{elements: elements}
	if weightLanes() == 0 {
		return w
	}
	w.limbs = make([]uint64, 0, 3*limbsPerElement*len(elements))
	for _, e := range elements {
		for _, coordinate := range e {
			w.limbs = appendLimbs(w.limbs, coordinate)
		}
	}
	return w
}

// AddColumns adds the sum of columns[k][first+i] * weight k to dst[i], for all i
// of dst. There must be as many columns as weights.
func (w *Weights) AddColumns(dst ExtensionVector, columns [][]Element, first int) {
	sameLength("Weights.AddColumns", len(w.elements), len(columns))
	n := dst.Len()
	done := 0
	if w.limbs != nil {
		done = w.addColumnsKernel(dst, columns, first)
	}
	if done == n {
		return
	}
	rest := dst.Slice(done, n)
	for k, column := range columns {
		rest.ScaleAdd(w.elements[k], column[first+done:first+n])
	}
}

// RowWeights are extension elements, one for each row of a column.
type RowWeights struct {
	vector ExtensionVector
	limbs  []uint64 // by register, coordinate, limb and lane; nil where no kernel takes them
}

// NewRowWeights prepares weights. It keeps the vector.
func NewRowWeights(vector ExtensionVector) *RowWeights {
	w := &RowWeights{vector: vector}
	lanes := weightLanes()
	if lanes == 0 {
		return w
	}
	registers := vector.Len() / lanes
	w.limbs = make([]uint64, 3*limbsPerElement*lanes*registers)
	var cut [limbsPerElement]uint64
	for i := range registers * lanes {
		base := i/lanes*3*limbsPerElement*lanes + i%lanes
		for j := range vector.C {
			for l, limb := range appendLimbs(cut[:0], vector.C[j][i]) {
				w.limbs[base+(limbsPerElement*j+l)*lanes] = limb
			}
		}
	}
	return w
}

// Dot is the sum of column[i] * weight i. The column must be as long as the
// weights.
func (w *RowWeights) Dot(column []Element) Extension {
	sameLength("RowWeights.Dot", w.vector.Len(), len(column))
	if w.limbs == nil {
		return w.vector.Dot(column)
	}
	sum, done := w.dotKernel(column)
	if done == len(column) {
		return sum
	}
	return sum.Add(w.vector.Slice(done, len(column)).Dot(column[done:]))
}
