package independent

import (
	"encoding/binary"
	"fmt"
	"slices"
	"unicode/utf8"
)

// The limits of section 8.
const (
	maxFileBytes    = 128 << 20
	maxNameBytes    = 64
	maxInstances    = 256
	maxHeaders      = 8
	maxPublic       = 1 << 10
	maxData         = 1 << 20
	maxCapNodes     = 1 << 10
	maxColumns      = 1 << 15
	maxOpenedCells  = 1 << 23
	maxLayers       = 32
	maxCoefficients = 1 << 10
	maxRows         = 1 << 10
	maxMessages     = 1 << 16
)

// Lists as encoded in a file.
type (
	elements   []byte
	extensions []byte
	digests    []byte
)

func (e elements) len() int        { return len(e) / 8 }
func (e elements) at(i int) uint64 { return binary.LittleEndian.Uint64(e[8*i:]) }

func (e extensions) len() int { return len(e) / 24 }
func (e extensions) at(i int) ext {
	c := elements(e[24*i : 24*i+24])
	return ext{c.at(0), c.at(1), c.at(2)}
}

func (d digests) len() int        { return len(d) / 32 }
func (d digests) at(i int) Digest { return Digest(d[32*i:]) }

// span is the byte range of a list in the file: 32 bits suffice for the largest file.
type span struct{ from, to uint32 }

// params are the parameters: the eight bytes of section 2, and the ninth of section 14.
type params struct {
	version                                                             int // of the file
	bytes                                                               []byte
	blowup, queries, grinding, arity, finalLength, capHeight, minHeight int
}

// instance is an entry of the list of instances.
type instance struct{ table, logHeight int }

// header is a program header.
type header struct {
	entry      uint64
	image      Digest
	logHeights []byte
	nodes      digests
	larger     digests // of version 3: the siblings on the way to the root at blowup 16
}

// proof is a decoded file of section 8; lists are positions in the file.
type proof struct {
	file       []byte
	params     params
	name       string
	digest     Digest
	instances  []instance
	program    *header
	public     elements
	data       []byte
	caps       [phases]digests // of main, auxiliary and quotient
	claimed    extensions
	opened     [phases][]openedSpans // by instance, in the quotient by class
	layerCaps  []span
	final      extensions
	nonce      uint64
	salt       uint64 // of version 3
	commonSalt uint64 // of version 3's shards
	trees      [phases]openedTree
	layers     []openedTree
}

// openedSpans are an entry's values at z and at gz.
type openedSpans struct{ z, gz span }

func (p *proof) extensions(s span) extensions { return p.file[s.from:s.to] }

// openedTree is an opening in the file: ranges[m] is the position of the opened rows of matrix m in the file.
type openedTree struct {
	file   []byte
	ranges []matrixRange
	rest   span // the siblings
	layer  bool // of FRI: rows are extension elements
}

type matrixRange struct{ from, rows, columns uint32 }

// row returns the k-th opened row of matrix m.
func (t openedTree) row(m, k int) elements {
	width := 8 * int(t.ranges[m].columns)
	from := int(t.ranges[m].from) + k*width
	return t.file[from : from+width]
}

func (t openedTree) siblings() digests { return t.file[t.rest.from:t.rest.to] }

type malformed string

func (m malformed) Error() string { return string(m) }

func refuse(format string, args ...any) { panic(malformed(fmt.Sprintf(format, args...))) }

type proofReader struct {
	file    []byte
	at      int
	columns int // of the phases' openings so far
}

func (r *proofReader) left() int { return len(r.file) - r.at }

func (r *proofReader) take(n int) []byte {
	if n > r.left() {
		refuse("the proof ends early")
	}
	r.at += n
	return r.file[r.at-n : r.at : r.at]
}

func (r *proofReader) number() int { return int(binary.LittleEndian.Uint32(r.take(4))) }

// count reads the length of a list whose items take at least size bytes.
func (r *proofReader) count(what string, most, size int) int {
	n := r.number()
	if n > most || n > r.left()/size {
		refuse("%d %s, want at most %d, and %d bytes are left", n, what, most, r.left())
	}
	return n
}

// elementsOf reads n elements.
func (r *proofReader) elementsOf(n int) elements {
	list := elements(r.take(8 * n))
	for i := range n {
		if list.at(i) >= p {
			refuse("element %d", list.at(i))
		}
	}
	return list
}

func (r *proofReader) extensions(what string, most int) extensions {
	return extensions(r.elementsOf(3 * r.count(what, most, 24)))
}

func (r *proofReader) digests(what string, most int) digests {
	return r.take(32 * r.count(what, most, 32))
}

// spanOf returns the position of a list that was just read.
func (r *proofReader) spanOf(list []byte) span { return span{uint32(r.at - len(list)), uint32(r.at)} }

func items[T any](r *proofReader, what string, most, size int, item func() T) []T {
	n := r.count(what, most, size)
	if n == 0 {
		return nil
	}
	list := make([]T, n)
	for i := range list {
		list[i] = item()
	}
	return list
}

func parseProof(file []byte) (out *proof, err error) {
	defer func() {
		if problem := recover(); problem != nil {
			reason, ok := problem.(malformed)
			if !ok {
				panic(problem)
			}
			out, err = nil, reason
		}
	}()
	if len(file) > maxFileBytes {
		refuse("%d bytes", len(file))
	}
	r := &proofReader{file: file}
	out = r.machine("CHIASMUS")
	out.instances = r.instances()
	r.statement(out)
	out.caps[main] = r.digests("nodes of a cap", maxCapNodes)
	r.afterMain(out)
	if r.left() > 0 {
		refuse("%d bytes follow the end", r.left())
	}
	return out, nil
}

// machine reads the start of a file: parameters and machine.
func (r *proofReader) machine(magic string) *proof {
	if string(r.take(8)) != magic {
		refuse("another magic")
	}
	version := r.number()
	switch version {
	case 2, 3:
	case 1:
		refuse("a proof of protocol 1")
	default:
		refuse("version %d", version)
	}
	out := &proof{file: r.file, params: r.params(version)}
	out.name = string(r.take(r.count("bytes of a name", maxNameBytes, 1)))
	if !utf8.ValidString(out.name) {
		refuse("a name that is not UTF-8")
	}
	out.digest = Digest(r.take(32))
	return out
}

func (r *proofReader) instances() []instance {
	return items(r, "instances", maxInstances, 3, func() instance {
		b := r.take(3)
		return instance{int(binary.LittleEndian.Uint16(b)), int(b[2])}
	})
}

func (r *proofReader) params(version int) params {
	b, grinding, largest := r.take(8), 48, 32
	if version == 3 {
		hash := r.take(1)
		b, grinding, largest = append(b[:8:8], hash...), 32, 28
		if hash[0] != 1 {
			refuse("hash %d in a file of version 3, want 1", hash[0])
		}
	}
	q := params{version, b, int(b[0]), int(binary.LittleEndian.Uint16(b[1:])), int(b[3]), int(b[4]), int(b[5]), int(b[6]),
		int(b[7])}
	for _, limit := range [][3]int{
		{q.blowup, 1, 4}, {q.queries, 1, 1024}, {q.grinding, 0, grinding}, {q.arity, 1, 4},
		{q.finalLength, 0, 10}, {q.capHeight, 0, 10}, {q.minHeight, 1, largest - q.blowup},
	} {
		if limit[0] < limit[1] || limit[0] > limit[2] {
			refuse("parameter %d, want %d to %d", limit[0], limit[1], limit[2])
		}
	}
	return q
}

// hasher returns the hasher of the trees.
func (q *params) hasher() hasher {
	if q.version == 3 {
		return blakeHasher{}
	}
	return keccakHasher{}
}

// largest returns the maximum log size of the largest extension.
func (q *params) largest() int {
	if q.version == 3 {
		return 28
	}
	return 32
}

// statement reads the program and the claims.
func (r *proofReader) statement(out *proof) {
	for range r.count("program headers", 1, 48) {
		out.program = &header{entry: binary.LittleEndian.Uint64(r.take(8)), image: Digest(r.take(32))}
		out.program.logHeights = slices.Clone(r.take(r.count("heights of a program", maxHeaders, 1)))
		out.program.nodes = r.digests("nodes of a program's cap", maxCapNodes)
		if out.params.version == 3 {
			if nodes := out.program.nodes.len(); nodes&(nodes-1) != 0 {
				refuse("a program's cap of %d nodes", nodes)
			}
			out.program.larger = digests(r.take(32 * (4 - out.params.blowup)))
		}
	}
	out.public = r.elementsOf(r.count("public values", maxPublic, 8))
	out.data = r.take(r.count("bytes of public data", maxData, 1))
}

// afterMain reads everything after the main cap.
func (r *proofReader) afterMain(out *proof) {
	r.commitments(out)
	r.columns = 0
	for phase := range phases {
		out.trees[phase] = r.opening(maxInstances)
	}
	r.columns = 0
	out.layers = items(r, "FRI openings", maxLayers, 8, func() openedTree { return r.opening(1) })
}

// commitments reads what the transcript absorbs.
func (r *proofReader) commitments(out *proof) {
	if out.params.version == 3 {
		out.salt = r.elementsOf(1).at(0)
	}
	for _, phase := range []int{auxiliary, quotient} {
		out.caps[phase] = r.digests("nodes of a cap", maxCapNodes)
	}
	out.claimed = r.extensions("claimed sums", maxInstances)
	for phase := range phases {
		out.opened[phase] = items(r, "opened entries", maxInstances, 8, func() openedSpans {
			z := r.spanOf(r.extensions("values at z", maxColumns))
			return openedSpans{z, r.spanOf(r.extensions("values at gz", maxColumns))}
		})
	}
	out.layerCaps = items(r, "FRI caps", maxLayers, 4, func() span {
		return r.spanOf(r.digests("nodes of an FRI cap", maxCapNodes))
	})
	out.final = r.extensions("final coefficients", maxCoefficients)
	if out.params.grinding > 0 {
		out.nonce = binary.LittleEndian.Uint64(r.take(8))
		if out.params.version == 3 && out.nonce >= p {
			refuse("nonce %d", out.nonce)
		}
	}
}

func (r *proofReader) opening(most int) openedTree {
	ranges := items(r, "matrices", most, 16, func() matrixRange {
		rows, columns := r.number(), r.number()
		if rows == 0 || columns == 0 || rows > maxRows || columns > maxColumns-r.columns {
			refuse("a matrix of %d rows and %d columns", rows, columns)
		}
		r.columns += columns
		from := r.at
		r.elementsOf(rows * columns)
		return matrixRange{uint32(from), uint32(rows), uint32(columns)}
	})
	return openedTree{file: r.file, ranges: ranges, rest: r.spanOf(r.digests("siblings", maxFileBytes))}
}
