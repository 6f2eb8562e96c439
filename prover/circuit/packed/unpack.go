package packed

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/keccak"
)

// The streams, in order; see the package comment.
const (
	Texts = iota
	Operations
	Near
	Far
	Numbers
	Streams // their number
)

// Nearby is the least distance to a far operand.
const Nearby = 64

// Cursors hold the last far operands of each operation, separately for first and second operands. Constraints that are
// declared in a loop advance through columns in equal steps, so their differences repeat.
type Cursors [1 << 8][2]air.NodeID

// Of returns the cursor for the first (0) or second (1) operand of an operation.
func (c *Cursors) Of(op air.Op, operand int) *air.NodeID { return &c[op][operand] }

// NextRow marks an operation on a column of the next row.
const NextRow = 1 << 7

// Packed is the content of a packed machine.
type Packed struct {
	Tables []*air.Table // without FillPreprocessed
	Buses  []*air.Bus

	CanonicalDigest [digestBytes]byte // in keys of protocol 3
}

const digestBytes = 32

// Unpack decodes the output of packing.Pack. It returns an error if the data is damaged.
func Unpack(data []byte) (*Packed, error) {
	if len(data) < 2*digestBytes {
		return nil, fmt.Errorf("a packed machine of %d bytes, want two digests of %d and its tables", len(data), digestBytes)
	}
	if have, want := keccak.Sum256(data[digestBytes:]), [digestBytes]byte(data); have != want {
		return nil, fmt.Errorf("a packed machine has digest %x, want %x: it is damaged", have, want)
	}
	p := &Packed{CanonicalDigest: [digestBytes]byte(data[digestBytes:])}
	plain, err := inflate(data[2*digestBytes:])
	if err != nil {
		return nil, fmt.Errorf("a packed machine: %w", err)
	}
	r := new(reader)
	for i := range r.streams {
		n, size := binary.Uvarint(plain)
		if size <= 0 || n > uint64(len(plain)-size) {
			return nil, fmt.Errorf("a packed machine: stream %d has a length of %d bytes, and %d are left", i, n, len(plain))
		}
		r.streams[i], plain = plain[size:][:n], plain[size:][n:]
	}
	r.names = string(r.streams[Texts])
	p.read(r)
	for i, stream := range r.streams {
		if len(stream) > 0 && r.err == nil {
			r.err = fmt.Errorf("stream %d: %d bytes are left", i, len(stream))
		}
	}
	if r.err != nil {
		return nil, fmt.Errorf("a packed machine: %w", r.err)
	}
	return p, nil
}

func (p *Packed) read(r *reader) {
	p.Buses = make([]*air.Bus, r.count())
	for i := range p.Buses {
		p.Buses[i] = &air.Bus{Index: i + 1, Name: r.text(), Kind: air.BusKind(r.number()), Fields: r.texts()}
	}
	p.Tables = make([]*air.Table, r.count())
	for i := range p.Tables {
		if p.Tables[i] = r.table(p.Buses); r.err == nil {
			r.err = p.Tables[i].Restore()
		}
		if r.err != nil {
			return
		}
	}
}

// reader consumes streams. After an error, which it keeps, it reads zeros.
type reader struct {
	streams [Streams][]byte
	names   string     // the stream of texts: texts are its substrings
	node    air.NodeID // the last root of a constraint or an interaction
	err     error
}

var errShort = errors.New("a stream ends early")

// advance drops the first bytes of a stream.
func (r *reader) advance(stream, bytes int) {
	if bytes <= 0 {
		r.err, bytes = errShort, len(r.streams[stream])
	}
	r.streams[stream] = r.streams[stream][bytes:]
}

//go:noinline
func (r *reader) long() uint64 {
	v, size := binary.Uvarint(r.streams[Numbers])
	r.advance(Numbers, size)
	return v
}

func (r *reader) number() int { return int(r.long()) }

// count reads the length of a list, each of whose elements has at least a byte in some stream.
//
//go:noinline
func (r *reader) count() int {
	left := 0
	for _, stream := range r.streams {
		left += len(stream)
	}
	n := r.long()
	if n > uint64(left) {
		r.err, n = errShort, 0
	}
	return int(n)
}

func (r *reader) difference(stream int) int {
	v, size := binary.Varint(r.streams[stream])
	r.advance(stream, size)
	return int(v)
}

func (r *reader) byte(stream int) byte {
	if len(r.streams[stream]) == 0 {
		r.err = errShort
		return 0
	}
	b := r.streams[stream][0]
	r.advance(stream, 1)
	return b
}

func (r *reader) text() string {
	start, end := len(r.names)-len(r.streams[Texts]), bytes.IndexByte(r.streams[Texts], 0)
	r.advance(Texts, end+1)
	return r.names[start : start+max(end, 0)]
}

func (r *reader) texts() []string { return list(r, r.text) }

func (r *reader) elements() []goldilocks.Element {
	return list(r, func() goldilocks.Element { return goldilocks.Element(r.long()) })
}

// list reads a list by its length and its elements; nil without elements.
func list[T any](r *reader, element func() T) []T {
	n := r.count()
	if n == 0 {
		return nil
	}
	read := make([]T, n)
	for i := range read {
		read[i] = element()
	}
	return read
}

func (r *reader) table(buses []*air.Bus) *air.Table {
	t := &air.Table{Name: r.text()}
	for _, v := range []*int{&t.MinLogHeight, &t.MaxLogHeight, &t.MinInstances, &t.MaxInstances} {
		*v = r.number()
	}
	t.Kind, t.Main, t.Preprocessed = air.PreprocessedKind(r.number()), r.texts(), r.texts()
	t.Periodic = list(r, func() air.PeriodicColumn { return air.PeriodicColumn{Name: r.text(), Values: r.elements()} })
	t.Graph = r.graph()
	r.node = 0
	t.Constraints = list(r, func() air.Constraint { return air.Constraint{Name: r.text(), Root: r.root()} })
	t.Interactions = list(r, func() air.Interaction { return r.interaction(buses) })
	t.Lookups = list(r, func() air.Entry {
		return air.Entry{Bus: r.bus(buses), Interaction: r.number(), CountColumn: r.number(), Lanes: r.number(),
			First: r.long(), Count: r.long(), Selector: r.number() - 1, Weights: r.elements()}
	})
	return t
}

func (r *reader) interaction(buses []*air.Bus) air.Interaction {
	i := air.Interaction{Bus: r.bus(buses), Kind: air.Kind(r.number()), Bound: r.long(), Multiplicity: r.root()}
	i.Values = make([]air.NodeID, len(i.Bus.Fields))
	for k := range i.Values {
		i.Values[k] = r.root()
	}
	return i
}

func (r *reader) bus(buses []*air.Bus) *air.Bus {
	index := r.number()
	if index < 1 || index > len(buses) {
		r.err = fmt.Errorf("bus %d of %d", index, len(buses))
		return new(air.Bus)
	}
	return buses[index-1]
}

func (r *reader) root() air.NodeID {
	r.node += air.NodeID(r.difference(Numbers))
	return r.node
}

func (r *reader) graph() []air.Node {
	graph := make([]air.Node, r.count())
	var last Cursors
	for id := range graph {
		op := r.byte(Operations)
		n := air.Node{Op: air.Op(op &^ NextRow), Next: op&NextRow != 0}
		switch {
		case n.Op.IsBinary():
			for i, operand := range []*air.NodeID{&n.A, &n.B} {
				if distance := int(r.byte(Near)); distance > 0 {
					*operand = air.NodeID(id - distance)
					continue
				}
				cursor := last.Of(n.Op, i)
				*cursor += air.NodeID(r.difference(Far))
				*operand = *cursor
			}
		case n.Op == air.Constant:
			n.Value = goldilocks.Element(r.long())
		default:
			n.Column = int32(r.long())
		}
		graph[id] = n
	}
	return graph
}
