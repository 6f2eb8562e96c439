package independent

import (
	"encoding/binary"
	"fmt"
)

// form is a machine's canonical form, parsed: section 2.
type form struct {
	bytes  []byte
	name   string
	public []string
	buses  []bus
	tables []table
}

type bus struct {
	name         string
	index, arity uint64
}

type table struct {
	name               string
	minLog, maxLog     uint64
	main, preprocessed []string
	nodes              []node
	constraints        []uint64 // roots
	interactions       []interaction
	batches            [][]uint64
	nextMain           []uint64
	nextPreprocessed   []uint64
}

type node struct{ op, next, column, a, b, value uint64 }

type interaction struct {
	bus                       bus
	kind, multiplicity, bound uint64
	values                    []uint64
}

// message is one that the verifier adds itself.
type message struct {
	bus                uint64 // index
	kind, multiplicity uint64
	values             []uint64
}

// rules are what the canonical form does not say: section 2's list.
type rules struct {
	check        func(public []uint64) error
	messages     func(public []uint64) []message
	preprocessed map[int][][]uint64 // columns by table
}

type formReader struct{ left []byte }

func (r *formReader) number() uint64 {
	v := binary.LittleEndian.Uint64(r.left)
	r.left = r.left[8:]
	return v
}

func (r *formReader) text() string {
	n := r.number()
	s := string(r.left[:n])
	r.left = r.left[n:]
	return s
}

func listOf[T any](r *formReader, item func() T) (list []T) {
	for range r.number() {
		list = append(list, item())
	}
	return list
}

func (r *formReader) bus() bus { return bus{r.text(), r.number(), r.number()} }

func parseForm(data []byte) (f form, err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("canonical form: %v", problem)
		}
	}()
	r := &formReader{data}
	if version := r.text(); version != "chiasmus.machine/1" {
		return f, fmt.Errorf("canonical form of version %q", version)
	}
	f.bytes, f.name = data, r.text()
	f.public = listOf(r, r.text)
	f.buses = listOf(r, func() bus { return bus{name: r.text(), arity: r.number()} })
	for i := range f.buses {
		f.buses[i].index = uint64(i + 1)
	}
	f.tables = listOf(r, r.table)
	if len(r.left) > 0 {
		return f, fmt.Errorf("%d bytes follow the canonical form", len(r.left))
	}
	return f, nil
}

func (r *formReader) table() (t table) {
	if version := r.text(); version != "chiasmus.air/1" {
		panic("a table of version " + version)
	}
	t.name, t.minLog, t.maxLog = r.text(), r.number(), r.number()
	t.main, t.preprocessed = listOf(r, r.text), listOf(r, r.text)
	t.nodes = listOf(r, func() node {
		return node{r.number(), r.number(), r.number(), r.number(), r.number(), r.number()}
	})
	t.constraints = listOf(r, func() uint64 { r.text(); return r.number() })
	t.interactions = listOf(r, func() interaction {
		return interaction{r.bus(), r.number(), r.number(), r.number(), listOf(r, r.number)}
	})
	t.batches = listOf(r, func() []uint64 { return listOf(r, r.number) })
	t.nextMain, t.nextPreprocessed = listOf(r, r.number), listOf(r, r.number)
	if r.number() == 1 {
		r.bus()
		r.number()
		listOf(r, r.number)
	}
	return t
}

// width is the number of base columns of a table in a phase.
func (t *table) width(phase int) int {
	switch phase {
	case preprocessed:
		return len(t.preprocessed)
	case main:
		return len(t.main)
	case auxiliary:
		if len(t.interactions) == 0 {
			return 0
		}
		return 3 * (len(t.batches) + 1)
	}
	return 6
}

// next are the columns read at the next row.
func (t *table) next(phase int) []uint64 {
	switch w := uint64(t.width(phase)); {
	case phase == preprocessed:
		return t.nextPreprocessed
	case phase == main:
		return t.nextMain
	case phase == auxiliary && w > 0:
		return []uint64{w - 3, w - 2, w - 1}
	}
	return nil
}

const (
	preprocessed = iota
	main
	auxiliary
	quotient
	phases
)

// matrices are the shapes of a phase's tree, and the tables that they belong to.
func (f *form) matrices(phase int, logHeights []int, b int) (shapes []matrix, tables []int) {
	for i := range f.tables {
		if w := f.tables[i].width(phase); w > 0 {
			shapes, tables = append(shapes, matrix{logHeights[i] + b, w}), append(tables, i)
		}
	}
	return shapes, tables
}

// preprocessedCap commits to the preprocessed columns.
func (f *form) preprocessedCap(r rules, b, capHeight int) []digest {
	heights := make([]int, len(f.tables))
	for i := range f.tables {
		heights[i] = int(f.tables[i].minLog)
	}
	shapes, tables := f.matrices(preprocessed, heights, b)
	if len(tables) == 0 {
		return nil
	}
	var columns [][][]uint64
	for _, i := range tables {
		var extended [][]uint64
		for _, column := range r.preprocessed[i] {
			extended = append(extended, extend(column, heights[i], b))
		}
		columns = append(columns, extended)
	}
	return commit(columns, shapes, capHeight)
}
