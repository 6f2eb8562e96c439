package protocol

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"
	"unicode/utf8"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

// Sizes of encoded values, and minimum sizes of composite ones.
const (
	elementBytes   = 8
	extensionBytes = 3 * elementBytes
	digestBytes    = 32
	countBytes     = 4
)

// Limits of any proof. The decoder checks list lengths against these and against the remaining bytes before it
// allocates, so a decoded proof takes at most twice the memory of its file.
const (
	MaxFileBytes     = 128 << 20
	MaxColumns       = 32768   // in all phases' trees together
	MaxOpenedCells   = 1 << 23 // queries times columns
	maxLayers        = MaxLogDomain
	maxCapNodes      = 1 << MaxCapHeight
	maxFinal         = 1 << MaxLogFinalLength
	maxProgramTables = 8
	maxPublicValues  = 1 << 10
)

// UnmarshalBinary decodes a proof and checks its form: every element is below p, every count is within the protocol's
// limits and the remaining bytes, and nothing follows the end. The verifier checks whether the parts match the machine.
func (p *Proof) UnmarshalBinary(data []byte) error {
	if len(data) > MaxFileBytes {
		return fmt.Errorf("proof: %d bytes, want at most %d", len(data), MaxFileBytes)
	}
	r := &reader{left: data}
	decoded := r.proof()
	if err := r.end(len(data)); err != nil {
		return err
	}
	*p = decoded
	return nil
}

// end returns the error of decoding a file of the given size, if any.
func (r *reader) end(total int) error {
	if r.err == nil && len(r.left) > 0 {
		r.fail("%d bytes follow the end of the proof: was something appended to the file?", len(r.left))
	}
	if r.err != nil {
		return fmt.Errorf("proof, byte %d: %w", total-len(r.left), r.err)
	}
	return nil
}

// reader decodes values from the front of a proof. After the first error it returns zeros and keeps the error.
type reader struct {
	left    []byte
	columns int // of the phases' opened matrices so far
	err     error
}

func (r *reader) proof() (p Proof) {
	r.machine(Magic, &p)
	p.Instances = r.instances()
	r.stated(&p)
	p.MainCap = r.digests("nodes of the main cap", maxCapNodes)
	r.afterMain(&p)
	return p
}

// machine reads the start of a file, up to the machine's digest.
func (r *reader) machine(magic string, p *Proof) {
	p.Params = r.params(r.magic(magic))
	p.MachineName = r.text()
	p.MachineDigest = r.digest()
}

// stated reads the program and the statement.
func (r *reader) stated(p *Proof) {
	p.Program = r.program(p.Params)
	p.Public.Values = r.elements("public values")
	if data := r.take(r.count("bytes of public data", 1, circuit.MaxDataBytes)); len(data) > 0 {
		p.Public.Data = slices.Clone(data)
	}
}

// afterMain reads everything after the main cap.
func (r *reader) afterMain(p *Proof) {
	r.columns = 0
	if p.Params.Salted() {
		p.Salt = uint64(r.element())
	}
	p.AuxiliaryCap = r.digests("nodes of the auxiliary cap", maxCapNodes)
	p.QuotientCap = r.digests("nodes of the quotient cap", maxCapNodes)
	p.Claimed = r.extensions("claimed sums", circuit.MaxProofInstances)
	for phase := range p.Openings {
		p.Openings[phase] = list(r, "opened instances", 2*countBytes, circuit.MaxProofInstances, r.opened)
	}

	p.LayerCaps = list(r, "FRI caps", countBytes, maxLayers, func() []merkle.Digest {
		return r.digests("nodes of an FRI cap", maxCapNodes)
	})
	p.Final = r.extensions("coefficients of the final polynomial", maxFinal)
	if r.err == nil && p.Params.GrindingBits > 0 {
		p.Nonce = r.uint64()
		r.check(p.Params.variant().checkNonce(p.Nonce))
	}
	for phase := range p.Trees {
		p.Trees[phase] = r.opening(circuit.MaxProofInstances)
	}
	r.columns = 0
	p.Layers = list(r, "opened FRI layers", 2*countBytes, maxLayers, func() merkle.Opening { return r.opening(1) })
}

// magic reads the magic bytes and the version.
func (r *reader) magic(want string) (version uint32) {
	if magic := r.take(len(want)); r.err == nil && string(magic) != want {
		r.fail("this is not a proof file: it starts with %q, want %q", magic, want)
	}
	if version = r.uint32(); r.err == nil && version == 1 {
		r.fail("this is a proof of protocol 1, which version 2 of the prover does not verify")
	} else if r.err == nil && version != Version && version != VersionBlake3 {
		r.fail("proof format version %d, want %d or %d", version, Version, VersionBlake3)
	}
	return version
}

func (r *reader) params(version uint32) (p Params) {
	b := r.take(paramsBytes)
	hash := merkle.Keccak
	if version == VersionBlake3 {
		if last := r.take(1); r.err == nil {
			hash = merkle.Hash(last[0])
		}
		if r.err == nil && hash != merkle.Blake3 {
			r.fail("a file of version 3 with %v, want %v: files with %v have version 2", hash, merkle.Blake3, merkle.Keccak)
		}
	}
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
		Hash:           hash,
	}
	if err := p.Validate(); err != nil {
		r.fail("%w", err)
	}
	return p
}

// check ends decoding with an error, unless it is nil.
func (r *reader) check(err error) {
	if err != nil {
		r.fail("%w", err)
	}
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
		r.fail("the proof ends too early: %d bytes are left and %d are needed; was the file truncated?", len(r.left), n)
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

// count reads the length of a list whose items take at least size bytes. It rejects more than most items, and more than
// the remaining bytes can hold.
func (r *reader) count(what string, size, most int) int {
	n := uint64(r.uint32())
	if n > uint64(most) {
		r.fail("%d %s, want at most %d", n, what, most)
		return 0
	}
	if n*uint64(size) > uint64(len(r.left)) {
		r.fail("%d %s cannot fit the %d bytes that are left; was the file truncated?", n, what, len(r.left))
		return 0
	}
	return int(n)
}

// list reads a count and that number of items. Before it has read them it allocates no more than the bytes that are
// left, although an item can be larger in memory than its size in the file.
func list[T any](r *reader, what string, size, most int, read func() T) []T {
	n := r.count(what, size, most)
	if n == 0 {
		return nil
	}
	values := make([]T, 0, min(n, len(r.left)/int(reflect.TypeFor[T]().Size())))
	for range n {
		if value := read(); r.err == nil {
			values = append(values, value)
		} else {
			return nil
		}
	}
	return values
}

func (r *reader) instances() []circuit.Instance {
	const size = 3
	return list(r, "instances", size, circuit.MaxProofInstances, func() (i circuit.Instance) {
		if b := r.take(size); b != nil {
			i = circuit.Instance{Table: int(binary.LittleEndian.Uint16(b)), LogHeight: int(b[2])}
		}
		return i
	})
}

// program reads a list of at most one program key.
func (r *reader) program(params Params) *ProgramKey {
	if r.count("programs", 8, 1) == 0 {
		return nil
	}
	key := &ProgramKey{Entry: r.uint64()}
	key.Image = r.digest()
	for _, h := range r.take(r.count("heights of the program's tables", 1, maxProgramTables)) {
		key.LogHeights = append(key.LogHeights, int(h))
	}
	key.Cap = r.digests("nodes of the program's cap", maxCapNodes)
	r.check(params.variant().checkProgram(key))
	for range params.LargerTrees() {
		key.Larger = append(key.Larger, r.digest())
	}
	return key
}

func (r *reader) text() string {
	s := string(r.take(r.count("bytes of the machine's name", 1, circuit.MaxNameBytes)))
	if !utf8.ValidString(s) {
		r.fail("the machine's name is not UTF-8")
	}
	return s
}

func (r *reader) element() goldilocks.Element {
	word := r.uint64()
	e, ok := goldilocks.FromCanonical(word)
	if !ok {
		r.notBelowModulus(word)
	}
	return e
}

func (r *reader) notBelowModulus(word uint64) {
	r.fail("field element %d is not below p = %d", word, goldilocks.Modulus)
}

func (r *reader) extension() goldilocks.Extension {
	return goldilocks.Extension{r.element(), r.element(), r.element()}
}

func (r *reader) digest() (d merkle.Digest) {
	copy(d[:], r.take(digestBytes))
	return d
}

func (r *reader) elements(what string) []goldilocks.Element {
	return list(r, what, elementBytes, maxPublicValues, r.element)
}

func (r *reader) extensions(what string, most int) []goldilocks.Extension {
	return list(r, what, extensionBytes, most, r.extension)
}

func (r *reader) digests(what string, most int) []merkle.Digest {
	return list(r, what, digestBytes, most, r.digest)
}

func (r *reader) opened() Opened {
	return Opened{
		Current: r.extensions("values at z", MaxColumns),
		Next:    r.extensions("values at gz", MaxColumns),
	}
}

func (r *reader) opening(most int) merkle.Opening {
	return merkle.Opening{
		Rows:     list(r, "opened matrices", 2*countBytes, most, r.rows),
		Siblings: r.digests("siblings", MaxFileBytes/digestBytes),
	}
}

// rows reads one matrix. An empty matrix has no encoding.
func (r *reader) rows() merkle.Rows {
	rows, columns := uint64(r.uint32()), uint64(r.uint32())
	switch left := uint64(len(r.left)) / elementBytes; {
	case r.err != nil:
	case rows == 0 || columns == 0:
		r.fail("an opened matrix of %d rows and %d columns, want at least one of each", rows, columns)
	case rows > MaxQueries || columns > uint64(MaxColumns-r.columns):
		r.fail("an opened matrix of %d rows and %d columns, want at most %d, and %d columns in all trees", rows, columns,
			MaxQueries, MaxColumns)
	case rows*columns > left:
		r.fail("%d rows of %d columns cannot fit the %d bytes that are left; was the file truncated?", rows, columns,
			len(r.left))
	}
	if r.err != nil {
		return merkle.Rows{}
	}
	r.columns += int(columns)
	values := make([]goldilocks.Element, rows*columns)
	words := r.take(len(values) * elementBytes)
	for i := range values {
		word, ok := binary.LittleEndian.Uint64(words[i*elementBytes:]), false
		if values[i], ok = goldilocks.FromCanonical(word); !ok {
			r.notBelowModulus(word)
			return merkle.Rows{}
		}
	}
	return merkle.Rows{Width: int(columns), Cells: values}
}
