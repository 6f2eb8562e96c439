package aggregate

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// fileMagic is the beginning of an aggregated file.
const fileMagic = "CHIASAGG"

// Limits of a file.
const (
	fileVersion    = 1
	openingVersion = 2
	maxRuns        = 1 << 16
	maxDepth       = 64 // of the tree
)

// File is an aggregated proof and its statements: of all runs or, in an opening, of some runs.
type File struct {
	Tree  *Tree
	Runs  int    // of the proof, shown and hidden; the encoding of a file without hidden trees ignores it
	Proof []byte // of the aggregator: a whole proof, or a run in shards
}

// IsFile reports whether bytes begin like an aggregated file.
func IsFile(data []byte) bool { return bytes.HasPrefix(data, []byte(fileMagic)) }

// MarshalBinary encodes the file:
//
//	magic (8), LE32 version: 1, or 2 for an opening, which has the LE32 number of runs next
//	the tree in preorder: a byte with the number of children; or 0 and a run; or, in an opening, 1 and a digest (32)
//	    a run: program id (32), image digest (32), LE64 exit code, LE64 cycles, LE32 length and bytes of input and output
//	LE64 length and bytes of the proof
func (f *File) MarshalBinary() ([]byte, error) {
	text := binary.LittleEndian.AppendUint32([]byte(fileMagic), fileVersion)
	if f.Tree.hides() {
		text = binary.LittleEndian.AppendUint32([]byte(fileMagic), openingVersion)
		text = binary.LittleEndian.AppendUint32(text, uint32(f.Runs))
	}
	text = f.Tree.append(text)
	return append(binary.LittleEndian.AppendUint64(text, uint64(len(f.Proof))), f.Proof...), nil
}

func (t *Tree) append(text []byte) []byte {
	if t.Run != nil {
		return t.Run.append(append(text, 0))
	}
	if t.Hidden != nil {
		return append(append(text, 1), t.Hidden[:]...)
	}
	text = append(text, byte(len(t.Children)))
	for _, child := range t.Children {
		text = child.append(text)
	}
	return text
}

func (s *Statement) append(text []byte) []byte {
	text = append(append(text, s.ProgramID[:]...), s.Image[:]...)
	text = binary.LittleEndian.AppendUint64(text, s.Exit)
	text = binary.LittleEndian.AppendUint64(text, s.Cycles)
	for _, data := range [][]byte{s.Input, s.Output} {
		text = append(binary.LittleEndian.AppendUint32(text, uint32(len(data))), data...)
	}
	return text
}

// UnmarshalBinary decodes a file. The file keeps references to data.
func (f *File) UnmarshalBinary(data []byte) error {
	r := &reader{left: data}
	if magic := r.bytes(len(fileMagic)); r.err == nil && string(magic) != fileMagic {
		r.fail("it begins with %q, want %q", magic, fileMagic)
	}
	version, all := r.word32(), 0
	switch {
	case version == openingVersion:
		r.opening, all = true, int(r.word32())
	case r.err == nil && version != fileVersion:
		r.fail("version %d, want %d or %d", version, fileVersion, openingVersion)
	}
	runs := 0
	tree := r.tree(0, &runs)
	r.checkOpening(tree, runs, all)
	size := r.word64()
	if r.err == nil && size != uint64(len(r.left)) {
		r.fail("a proof of %d bytes, and %d follow; was the file truncated or concatenated?", size, len(r.left))
	}
	if r.err != nil {
		return fmt.Errorf("aggregated proof: %w", r.err)
	}
	if len(r.left) > protocol.MaxSetBytes {
		return fmt.Errorf("aggregated proof: a proof of %d bytes, want at most %d", len(r.left), protocol.MaxSetBytes)
	}
	if !r.opening {
		all = runs
	}
	f.Tree, f.Runs, f.Proof = tree, all, r.left
	return nil
}

// reader decodes a file. After an error it returns zeros.
type reader struct {
	left    []byte
	opening bool
	err     error
}

func (r *reader) fail(format string, args ...any) { r.err = fmt.Errorf(format, args...) }

func (r *reader) bytes(n int) []byte {
	if r.err == nil && n > len(r.left) {
		r.fail("it ends early: %d bytes are left, want %d", len(r.left), n)
	}
	if r.err != nil {
		return nil
	}
	taken := r.left[:n:n]
	r.left = r.left[n:]
	return taken
}

func (r *reader) word32() uint32 {
	if text := r.bytes(4); text != nil {
		return binary.LittleEndian.Uint32(text)
	}
	return 0
}

func (r *reader) word64() uint64 {
	if text := r.bytes(8); text != nil {
		return binary.LittleEndian.Uint64(text)
	}
	return 0
}

func (r *reader) digest() (d [32]byte) {
	copy(d[:], r.bytes(len(d)))
	return d
}

func (r *reader) tree(depth int, runs *int) *Tree {
	count := r.bytes(1)
	switch {
	case r.err != nil:
		return nil
	case depth > maxDepth:
		r.fail("a tree of more than %d levels", maxDepth)
		return nil
	case count[0] == 1 && r.opening:
		hidden := r.digest()
		return &Tree{Hidden: &hidden}
	case count[0] == 1:
		r.fail("a batch of one child, want at least 2")
		return nil
	case count[0] == 0:
		if *runs++; *runs > maxRuns {
			r.fail("more than %d runs", maxRuns)
		}
		return &Tree{Run: r.run()}
	}
	t := new(Tree)
	for range count[0] {
		t.Children = append(t.Children, r.tree(depth+1, runs))
		if r.err != nil {
			return nil
		}
	}
	return t
}

func (r *reader) run() *Statement {
	s := &Statement{ProgramID: r.digest(), Image: r.digest(), Exit: r.word64(), Cycles: r.word64()}
	for _, data := range []*[]byte{&s.Input, &s.Output} {
		size := r.word32()
		if r.err == nil && size > uint32(memorymap.MaxPublicBytes) {
			r.fail("a public input or output of %d bytes, want at most %d", size, memorymap.MaxPublicBytes)
		}
		*data = r.bytes(int(size))
	}
	return s
}
