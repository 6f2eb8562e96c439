package protocol

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sort"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// The first bytes of a proof file.
const (
	Magic       = "CHIASMUS"
	MagicShards = "CHIASHRD"

	Version       = 2 // with Keccak-256
	VersionBlake3 = 3
)

// Section is a part of a proof file and its size.
type Section struct {
	Name  string
	Bytes int
}

// MarshalBinary encodes a proof. It returns an error for an opening without an encoding: a matrix without rows or
// columns, or with rows of different lengths. No prover makes such an opening.
func (p *Proof) MarshalBinary() ([]byte, error) { return p.AppendBinary(nil) }

// AppendBinary appends the proof to dst, encoded as by MarshalBinary. Passing the memory of an earlier proof avoids
// page faults, which would take longer than writing megabytes.
func (p *Proof) AppendBinary(dst []byte) ([]byte, error) { return p.AppendOn(nil, dst) }

// AppendOn is AppendBinary on a pool's workers.
func (p *Proof) AppendOn(pool *parallel.Pool, dst []byte) ([]byte, error) {
	if p.file != nil {
		return append(dst, p.file...), nil
	}
	if p.part != nil {
		return nil, errors.New("the backend wrote this shard as part of a set, which is not a file by itself")
	}
	if err := p.encodable(); err != nil {
		return nil, err
	}
	return p.encode(pool, dst).bytes, nil
}

// encodable returns an error if an opening of the proof has no encoding.
func (p *Proof) encodable() error {
	for phase, opening := range p.Trees {
		if err := encodable(opening); err != nil {
			return fmt.Errorf("%s queries: %w", Phase(phase), err)
		}
	}
	for i, opening := range p.Layers {
		if err := encodable(opening); err != nil {
			return fmt.Errorf("queries of FRI layer %d: %w", i, err)
		}
	}
	return nil
}

func encodable(o merkle.Opening) error {
	for m, rows := range o.Rows {
		if rows.Count() == 0 || len(rows.Cells) != rows.Count()*rows.Width {
			return fmt.Errorf("opened matrix %d: %d cells are not rows of %d columns", m, len(rows.Cells), rows.Width)
		}
	}
	return nil
}

// AppendFront appends the part of a file before the opened rows; for a shard, without the part at the start of its set.
func (p *Proof) AppendFront(dst []byte, shard bool) []byte {
	w := newWriter(nil, dst, 0)
	if shard {
		w.beforeOpened(p)
	} else {
		w.front(p)
	}
	return w.bytes
}

// Sections lists the parts of a decoded proof in order. Their sizes add up to the file's.
func (p *Proof) Sections() []Section {
	return p.encode(nil, nil).sections
}

func (p *Proof) encode(pool *parallel.Pool, dst []byte) *writer {
	w := newWriter(pool, dst, p.sizeHint())
	w.front(p)
	w.opened(p)
	w.putRows()
	return w
}

// front writes the part before the openings.
func (w *writer) front(p *Proof) {
	w.machine(Magic, p)
	w.instances(p.Instances)
	w.stated(p)
	w.section("header")
	w.digests(p.MainCap)
	w.beforeOpened(p)
}

// machine writes the magic bytes, the parameters and the machine.
func (w *writer) machine(magic string, p *Proof) {
	w.bytes = append(w.bytes, magic...)
	w.count(p.Params.Version())
	w.bytes = p.Params.append(w.bytes)
	w.text(p.MachineName)
	w.digest(p.MachineDigest)
}

func (w *writer) instances(list []circuit.Instance) {
	w.count(len(list))
	w.bytes = appendInstances(w.bytes, list)
}

// stated writes the program and the statement.
func (w *writer) stated(p *Proof) {
	w.program(p.Program)
	w.elements(p.Public.Values)
	w.count(len(p.Public.Data))
	w.bytes = append(w.bytes, p.Public.Data...)
}

// beforeOpened writes the part between the main cap and the openings.
func (w *writer) beforeOpened(p *Proof) {
	if p.Params.Salted() {
		w.word(p.Salt)
	}
	w.digests(p.AuxiliaryCap)
	w.digests(p.QuotientCap)
	w.section("caps")
	w.extensions(p.Claimed)
	w.section("claimed sums")
	for _, entries := range p.Openings {
		w.count(len(entries))
		for _, opened := range entries {
			w.extensions(opened.Current)
			w.extensions(opened.Next)
		}
	}
	w.section("openings")

	w.count(len(p.LayerCaps))
	for _, layerCap := range p.LayerCaps {
		w.digests(layerCap)
	}
	w.section("FRI caps")
	w.extensions(p.Final)
	w.section("final polynomial")
	if p.Params.GrindingBits > 0 {
		w.word(p.Nonce)
	}
	w.section("nonce")
}

// opened writes the query openings. A device can write them too: see [backend.Gathered].
func (w *writer) opened(p *Proof) {
	for phase, opening := range p.Trees {
		w.opening(opening)
		w.section(Phase(phase).String() + " queries")
	}
	w.count(len(p.Layers))
	for _, opening := range p.Layers {
		w.opening(opening)
	}
	w.section("FRI queries")
}

// sizeHint returns slightly more than the size of the encoded proof. Nearly all of it is opened rows and siblings.
func (p *Proof) sizeHint() int {
	total := 1<<16 + len(p.Public.Data) + len(p.part)
	add := func(o merkle.Opening) {
		total += len(o.Siblings) * len(merkle.Digest{})
		for _, rows := range o.Rows {
			total += 8 * len(rows.Cells)
		}
	}
	for phase, opening := range p.Trees {
		add(opening)
		for _, table := range p.Openings[phase] {
			total += 8 * ExtensionDegree * (len(table.Current) + len(table.Next))
		}
	}
	for _, opening := range p.Layers {
		add(opening)
	}
	return total
}

// append encodes parameters, for files and for the transcript.
func (p Params) append(dst []byte) []byte {
	dst = append(dst, byte(p.LogBlowup))
	dst = binary.LittleEndian.AppendUint16(dst, uint16(p.Queries))
	dst = append(dst, byte(p.GrindingBits), byte(p.LogArity), byte(p.LogFinalLength), byte(p.CapHeight),
		byte(p.MinLogHeight))
	if p.variant().namesHash() {
		dst = append(dst, byte(p.Hash))
	}
	return dst
}

// paramsBytes is the length of encoded parameters without the hash, which follows them in version 3.
const paramsBytes = 8

// writer appends the parts of a proof.
type writer struct {
	pool     *parallel.Pool // writes the opened rows; nil for none
	bytes    []byte
	rows     []rowsAt // have reserved space, but are not yet written
	cells    int      // total cells of rows
	sections []Section
	closed   int // bytes in sections so far
}

// newWriter appends to dst, with capacity for hint bytes.
func newWriter(pool *parallel.Pool, dst []byte, hint int) *writer {
	if cap(dst)-len(dst) < hint {
		dst = slices.Grow(dst, hint+hint/16) // also sufficient for the next proof, which may be slightly longer
	}
	return &writer{pool: pool, bytes: dst, closed: len(dst)}
}

// section ends a section: everything written since the previous one. Parts with the same name form one section.
func (w *writer) section(name string) {
	i := slices.IndexFunc(w.sections, func(s Section) bool { return s.Name == name })
	if i < 0 {
		i, w.sections = len(w.sections), append(w.sections, Section{Name: name})
	}
	w.sections[i].Bytes += len(w.bytes) - w.closed
	w.closed = len(w.bytes)
}

func (w *writer) word(v uint64) { w.bytes = binary.LittleEndian.AppendUint64(w.bytes, v) }

func (w *writer) count(n int) { w.bytes = binary.LittleEndian.AppendUint32(w.bytes, uint32(n)) }

func (w *writer) text(s string) {
	w.count(len(s))
	w.bytes = append(w.bytes, s...)
}

func (w *writer) digest(d merkle.Digest) { w.bytes = append(w.bytes, d[:]...) }

func (w *writer) digests(list []merkle.Digest) {
	w.count(len(list))
	w.bytes = appendDigests(w.bytes, list)
}

func (w *writer) elements(list []goldilocks.Element) {
	w.count(len(list))
	w.bytes = appendElements(w.bytes, list)
}

func (w *writer) extensions(list []goldilocks.Extension) {
	w.count(len(list))
	w.bytes = appendExtensions(w.bytes, list)
}

// program writes a list of at most one program key.
func (w *writer) program(key *ProgramKey) {
	if key == nil {
		w.count(0)
		return
	}
	w.count(1)
	w.word(key.Entry)
	w.bytes = append(w.bytes, key.Image[:]...)
	w.count(len(key.LogHeights))
	for _, h := range key.LogHeights {
		w.bytes = append(w.bytes, byte(h))
	}
	w.digests(key.Cap)
	w.bytes = appendDigests(w.bytes, key.Larger)
}

// opening writes for each matrix the number of rows, the number of columns and the elements row by row; then the
// siblings.
func (w *writer) opening(o merkle.Opening) {
	w.count(len(o.Rows))
	for _, rows := range o.Rows {
		w.count(rows.Count())
		w.count(rows.Width)
		start := len(w.bytes)
		w.bytes = slices.Grow(w.bytes, 8*len(rows.Cells))[:start+8*len(rows.Cells)]
		w.rows = append(w.rows, rowsAt{start, w.cells, rows.Cells})
		w.cells += len(rows.Cells)
	}
	w.digests(o.Siblings)
}

// rowsAt has a matrix's opened rows, their position, and the number of cells of previous matrices.
type rowsAt struct {
	start, before int
	cells         []goldilocks.Element
}

// putRows writes all opened rows at once, because a single matrix has too few for several workers.
func (w *writer) putRows() {
	w.pool.For(w.cells, writeGrain, func(lo, hi int) {
		i := sort.Search(len(w.rows), func(i int) bool { return w.rows[i].before+len(w.rows[i].cells) > lo })
		for ; lo < hi; i++ {
			r := &w.rows[i]
			own := r.cells[lo-r.before : min(hi-r.before, len(r.cells))]
			putElements(w.bytes[r.start+8*(lo-r.before):], own)
			lo += len(own)
		}
	})
}

// copied writes encoded data.
func (w *writer) copied(encoded []byte) {
	start := len(w.bytes)
	w.bytes = slices.Grow(w.bytes, len(encoded))[:start+len(encoded)]
	w.pool.For(len(encoded), elementBytes*writeGrain, func(lo, hi int) {
		copy(w.bytes[start+lo:start+hi], encoded[lo:hi])
	})
}

// writeGrain is the minimum number of elements per worker: about ten microseconds of work.
const writeGrain = 1 << 14

func appendElements(dst []byte, list []goldilocks.Element) []byte {
	start := len(dst)
	dst = slices.Grow(dst, 8*len(list))[:start+8*len(list)]
	putElements(dst[start:], list)
	return dst
}

func putElements(dst []byte, list []goldilocks.Element) {
	for i, e := range list {
		binary.LittleEndian.PutUint64(dst[8*i:], uint64(e))
	}
}

func appendExtensions(dst []byte, list []goldilocks.Extension) []byte {
	start := len(dst)
	dst = slices.Grow(dst, extensionBytes*len(list))[:start+extensionBytes*len(list)]
	for i, e := range list {
		to := dst[start+extensionBytes*i:][:extensionBytes]
		binary.LittleEndian.PutUint64(to, uint64(e[0]))
		binary.LittleEndian.PutUint64(to[8:], uint64(e[1]))
		binary.LittleEndian.PutUint64(to[16:], uint64(e[2]))
	}
	return dst
}

func appendDigests(dst []byte, list []merkle.Digest) []byte {
	for i := range list {
		dst = append(dst, list[i][:]...)
	}
	return dst
}
