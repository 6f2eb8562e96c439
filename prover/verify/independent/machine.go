package independent

import (
	"encoding/binary"
	"fmt"
)

// form is a machine's canonical form, parsed: section 2.
type form struct {
	bytes   []byte
	name    string
	public  []string
	hasData bool
	buses   []bus
	tables  []table
}

type bus struct {
	name   string
	kind   uint64
	fields []string
}

type table struct {
	name                       string
	minLog, maxLog             uint64
	minInstances, maxInstances uint64
	kind                       uint64 // of preprocessed columns
	main, preprocessed         []string
	periodic                   [][]uint64
	nodes                      []node
	constraints                []uint64 // roots
	interactions               []interaction
	batches                    [][]uint64
	nextMain                   []uint64
	nextPreprocessed           []uint64
	entries                    []entry
}

type node struct{ op, next, column, a, b, value uint64 }

type interaction struct {
	bus, direction, multiplicity, bound uint64
	values                              []uint64
}

// entry is a lookup entry.
type entry struct {
	bus, interaction, count, first, rows uint64
	selector                             []uint64 // none or one
	weights                              []uint64
}

const (
	send    = 0
	receive = 1
)

// The kinds of preprocessed columns.
const (
	fixedColumns   = 1
	programColumns = 2
)

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
	n := r.number()
	if n > uint64(len(r.left))/8 {
		panic(fmt.Sprintf("a list of %d items in %d bytes", n, len(r.left)))
	}
	for range n {
		list = append(list, item())
	}
	return list
}

func parseForm(data []byte) (f form, err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("canonical form: %v", problem)
		}
	}()
	r := &formReader{data}
	if version := r.text(); version != "chiasmus.machine/2" {
		return f, fmt.Errorf("canonical form of version %q", version)
	}
	f.bytes, f.name = data, r.text()
	f.public = listOf(r, r.text)
	f.hasData = r.number() == 1
	f.buses = listOf(r, func() bus { return bus{r.text(), r.number(), listOf(r, r.text)} })
	f.tables = listOf(r, r.table)
	if len(r.left) > 0 {
		return f, fmt.Errorf("%d bytes follow the canonical form", len(r.left))
	}
	return f, f.validate()
}

func (r *formReader) table() (t table) {
	if version := r.text(); version != "chiasmus.air/2" {
		panic("a table of version " + version)
	}
	t.name, t.minLog, t.maxLog = r.text(), r.number(), r.number()
	t.minInstances, t.maxInstances, t.kind = r.number(), r.number(), r.number()
	t.main, t.preprocessed = listOf(r, r.text), listOf(r, r.text)
	t.periodic = listOf(r, func() []uint64 { r.text(); return listOf(r, r.number) })
	t.nodes = listOf(r, func() node {
		return node{r.number(), r.number(), r.number(), r.number(), r.number(), r.number()}
	})
	t.constraints = listOf(r, func() uint64 { r.text(); return r.number() })
	t.interactions = listOf(r, func() interaction {
		return interaction{r.number(), r.number(), r.number(), r.number(), listOf(r, r.number)}
	})
	t.batches = listOf(r, func() []uint64 { return listOf(r, r.number) })
	t.nextMain, t.nextPreprocessed = listOf(r, r.number), listOf(r, r.number)
	t.entries = listOf(r, func() entry {
		e := entry{bus: r.number(), interaction: r.number(), count: r.number(), first: r.number(), rows: r.number()}
		if r.number() == 1 {
			e.selector = []uint64{r.number()}
		}
		e.weights = listOf(r, r.number)
		return e
	})
	return t
}

// The phases, in the order of section 6.
const (
	fixed = iota
	program
	main
	auxiliary
	quotient
	phases
)

// width returns the number of base columns of a table in a phase before the quotient.
func (t *table) width(phase int) int {
	switch {
	case phase == fixed && t.kind == fixedColumns, phase == program && t.kind == programColumns:
		return len(t.preprocessed)
	case phase == main:
		return len(t.main)
	case phase == auxiliary:
		return 3 * len(t.batches)
	}
	return 0
}

// next returns the columns read at the next row.
func (t *table) next(phase int) []uint64 {
	switch w := uint64(t.width(phase)); {
	case w == 0:
		return nil
	case phase == main:
		return t.nextMain
	case phase == auxiliary:
		return []uint64{w - 3, w - 2, w - 1}
	}
	return t.nextPreprocessed
}
