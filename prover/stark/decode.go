package stark

import (
	"encoding/binary"
	"fmt"
	"unicode/utf8"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

// Sizes of encoded values, and of the smallest encoding of composite ones.
const (
	elementBytes   = 8
	extensionBytes = 3 * elementBytes
	digestBytes    = 32
	countBytes     = 4
)

// UnmarshalBinary decodes a proof and checks its form: every element below p,
// every count within the bytes that are left before anything is allocated, and
// nothing after the end. Whether the parts fit the machine is the verifier's
// to check.
func (p *Proof) UnmarshalBinary(data []byte) error {
	r := &reader{left: data}
	decoded := r.proof()
	if r.err == nil && len(r.left) > 0 {
		r.fail("%d bytes follow the end of the proof", len(r.left))
	}
	if r.err != nil {
		return fmt.Errorf("proof, byte %d: %w", len(data)-len(r.left), r.err)
	}
	*p = decoded
	return nil
}

// reader takes values off the front of a proof. After the first error it
// returns zeros and keeps the error.
type reader struct {
	left []byte
	err  error
}

func (r *reader) proof() (p Proof) {
	if magic := r.take(len(Magic)); r.err == nil && string(magic) != Magic {
		r.fail("this is no proof file: it starts with %q, want %q", magic, Magic)
	}
	if version := r.uint32(); r.err == nil && version != Version {
		r.fail("proof format version %d, want %d", version, Version)
	}
	p.Params = r.params()
	p.MachineName = r.text()
	p.MachineDigest = r.digest()
	p.LogHeights = r.heights()
	p.Public = r.elements("public values")

	p.MainCap = r.digests("nodes of the main cap")
	p.AuxiliaryCap = r.digests("nodes of the auxiliary cap")
	p.QuotientCap = r.digests("nodes of the quotient cap")
	p.Claimed = r.extensions("claimed sums")
	for phase := range p.Openings {
		p.Openings[phase] = list(r, "opened tables", 2*countBytes, r.tableOpenings)
	}

	p.LayerCaps = list(r, "FRI caps", countBytes, func() []merkle.Digest { return r.digests("nodes of an FRI cap") })
	p.Final = r.extensions("coefficients of the final polynomial")
	if r.err == nil && p.Params.GrindingBits > 0 {
		p.Nonce = r.uint64()
	}
	for phase := range p.Trees {
		p.Trees[phase] = r.opening()
	}
	p.Layers = list(r, "opened FRI layers", 2*countBytes, r.opening)
	return p
}

func (r *reader) params() (p Params) {
	b := r.take(paramsBytes)
	if r.err != nil {
		return p
	}
	p = Params{
		LogBlowup:      int(b[0]),
		Queries:        int(binary.LittleEndian.Uint16(b[1:])),
		GrindingBits:   int(b[3]),
		LogArity:       int(b[4]),
		LogFinalLength: int(b[5]),
		CapHeight:      int(b[6]),
		MinLogHeight:   int(b[7]),
	}
	if err := p.Validate(); err != nil {
		r.fail("%w", err)
	}
	return p
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

// take removes n bytes.
func (r *reader) take(n int) []byte {
	if r.err != nil {
		return nil
	}
	if n > len(r.left) {
		r.fail("the proof ends too early: %d bytes are left and %d are needed", len(r.left), n)
		return nil
	}
	taken := r.left[:n]
	r.left = r.left[n:]
	return taken
}

func (r *reader) uint32() uint32 {
	if b := r.take(countBytes); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (r *reader) uint64() uint64 {
	if b := r.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// count reads how many values of at least size bytes follow, and refuses more
// than the bytes that are left can hold.
func (r *reader) count(what string, size int) int {
	n := uint64(r.uint32())
	if n*uint64(size) > uint64(len(r.left)) {
		r.fail("%d %s cannot fit the %d bytes that are left", n, what, len(r.left))
		return 0
	}
	return int(n)
}

// list reads a count and as many values.
func list[T any](r *reader, what string, size int, read func() T) []T {
	n := r.count(what, size)
	if n == 0 {
		return nil
	}
	values := make([]T, 0, n)
	for range n {
		if value := read(); r.err == nil {
			values = append(values, value)
		} else {
			return nil
		}
	}
	return values
}

func (r *reader) heights() []int {
	encoded := r.take(r.count("table heights", 1))
	if len(encoded) == 0 {
		return nil
	}
	heights := make([]int, len(encoded))
	for i, h := range encoded {
		heights[i] = int(h)
	}
	return heights
}

func (r *reader) text() string {
	n := r.count("bytes of the machine's name", 1)
	if n > machine.MaxNameBytes {
		r.fail("a machine's name of %d bytes, want at most %d", n, machine.MaxNameBytes)
	}
	s := string(r.take(n))
	if !utf8.ValidString(s) {
		r.fail("the machine's name is not UTF-8")
	}
	return s
}

func (r *reader) element() goldilocks.Element {
	word := r.uint64()
	e, ok := goldilocks.FromCanonical(word)
	if !ok {
		r.fail("field element %d is not below p = %d", word, goldilocks.Modulus)
	}
	return e
}

func (r *reader) extension() goldilocks.Extension {
	return goldilocks.Extension{r.element(), r.element(), r.element()}
}

func (r *reader) digest() (d merkle.Digest) {
	copy(d[:], r.take(digestBytes))
	return d
}

func (r *reader) elements(what string) []goldilocks.Element {
	return list(r, what, elementBytes, r.element)
}

func (r *reader) extensions(what string) []goldilocks.Extension {
	return list(r, what, extensionBytes, r.extension)
}

func (r *reader) digests(what string) []merkle.Digest {
	return list(r, what, digestBytes, r.digest)
}

func (r *reader) tableOpenings() backend.TableOpenings {
	return backend.TableOpenings{
		Current: r.extensions("values at z"),
		Next:    r.extensions("values at gz"),
	}
}

func (r *reader) opening() merkle.Opening {
	return merkle.Opening{
		Rows:     list(r, "opened matrices", 2*countBytes, r.rows),
		Siblings: r.digests("siblings"),
	}
}

// rows reads one matrix. An empty one has no encoding.
func (r *reader) rows() [][]goldilocks.Element {
	rows, columns := uint64(r.uint32()), uint64(r.uint32())
	if r.err == nil && (rows == 0 || columns == 0) {
		r.fail("an opened matrix of %d rows and %d columns, want at least one of each", rows, columns)
	}
	// Both are below 2^32, and so is rows*columns unless it is too many.
	if left := uint64(len(r.left)) / elementBytes; r.err == nil && (rows > left || columns > left/rows) {
		r.fail("%d rows of %d columns cannot fit the %d bytes that are left", rows, columns, len(r.left))
	}
	if r.err != nil {
		return nil
	}
	values := make([]goldilocks.Element, rows*columns)
	for i := range values {
		values[i] = r.element()
	}
	matrix := make([][]goldilocks.Element, rows)
	for i := range matrix {
		matrix[i], values = values[:columns:columns], values[columns:]
	}
	return matrix
}
