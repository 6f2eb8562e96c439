package prove_test

import (
	"encoding/binary"
	"runtime"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// bomb is the start of a proof, counts as large as the size allows, and zeros.
func bomb(prefix []byte, size int, count uint32) []byte {
	data := make([]byte, size)
	copy(data, prefix)
	binary.LittleEndian.PutUint32(data[len(prefix):], count)
	return data
}

// Whatever counts a proof claims, decoding takes at most twice its size.
func TestDecodingTakesLittleMemory(t *testing.T) {
	const size = 1 << 20
	proof := proveTour(t)
	data := encode(t, proof)
	// The offset of each list's count: after every section, and after the machine's name and digest.
	var starts []int
	end := 0
	for _, section := range proof.Sections() {
		starts = append(starts, end)
		end += section.Bytes
	}
	starts[0] = len(protocol.Magic) + 4 + 8
	starts = append(starts, starts[0]+4+len(proof.MachineName)+32)
	for _, start := range starts {
		for _, each := range []uint32{1, 4, 8, 24, 32} {
			for _, count := range []uint32{uint32(size-start-4) / each, 1<<32 - 1} {
				input := bomb(data[:start], size, count)
				least := uint64(1<<64 - 1)
				for range 3 { // others allocate too
					var before, after runtime.MemStats
					runtime.ReadMemStats(&before)
					err := new(protocol.Proof).UnmarshalBinary(input)
					runtime.ReadMemStats(&after)
					if err == nil {
						t.Fatalf("byte %d: %d items of %d bytes are decoded", start, count, each)
					}
					least = min(least, after.TotalAlloc-before.TotalAlloc)
				}
				if least > 2*size {
					t.Errorf("byte %d, %d items: %d bytes allocated for a proof of %d", start, count, least, size)
				}
			}
		}
	}
}

// A proof that has no encoding is an error, not a panic.
func TestUnencodable(t *testing.T) {
	one, two := merkle.Rows{Width: 1, Cells: []goldilocks.Element{1}},
		merkle.Rows{Width: 2, Cells: []goldilocks.Element{1, 2}}
	for want, rows := range map[string][]merkle.Rows{
		"opened matrix 0: 0 cells are not rows of 0 columns": {{}},
		"opened matrix 1: 0 cells are not rows of 3 columns": {one, {Width: 3}},
		"opened matrix 2: 1 cells are not rows of 0 columns": {one, two, {Cells: one.Cells}},
		"opened matrix 0: 3 cells are not rows of 2 columns": {{Width: 2,
			Cells: make([]goldilocks.Element, 3)}},
		"queries of FRI layer 0: opened matrix 0: 0 cells are not rows of 0 columns (a layer)": {{}},
	} {
		var proof protocol.Proof
		want, layer := strings.CutSuffix(want, " (a layer)")
		if layer {
			proof.Layers = []merkle.Opening{{Rows: rows}}
		} else {
			proof.Trees[2] = merkle.Opening{Rows: rows}
		}
		if _, err := proof.MarshalBinary(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// An opened matrix has rows and columns, and no more of them than bytes are left.
func TestMatricesOfImpossibleSizes(t *testing.T) {
	proof := proveTour(t)
	data, start := encode(t, proof), 0
	for _, section := range proof.Sections() {
		if section.Name == "main queries" {
			break
		}
		start += section.Bytes
	}
	for _, tc := range []struct {
		rows, columns uint32
		want          string
	}{
		{0, 3, "an opened matrix of 0 rows and 3 columns, want at least one of each"},
		{4, 0, "an opened matrix of 4 rows and 0 columns, want at least one of each"},
		{0, 0, "an opened matrix of 0 rows and 0 columns"},
		{1<<32 - 1, 0, "an opened matrix of 4294967295 rows and 0 columns"},
		{1<<32 - 1, 1<<32 - 1, "4294967295 rows and 4294967295 columns, want at most 1024"},
		{1025, 1, "want at most 1024"},
		{1, protocol.MaxColumns + 1, "want at most 1024, and 32768 columns in all trees"},
		{1024, protocol.MaxColumns / 2, "cannot fit"},
		{1, protocol.MaxColumns / 2, "cannot fit"},
	} {
		changed := append([]byte(nil), data...)
		binary.LittleEndian.PutUint32(changed[start+4:], tc.rows)
		binary.LittleEndian.PutUint32(changed[start+8:], tc.columns)
		var decoded protocol.Proof
		if err := decoded.UnmarshalBinary(changed); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%d rows of %d columns: error %v, want %q", tc.rows, tc.columns, err, tc.want)
		}
	}
}

// Parameters out of their limits are not decoded, before any other code sees them.
func TestParametersOutOfLimits(t *testing.T) {
	data := encode(t, proveFib(t))
	start := len(protocol.Magic) + 4
	for want, change := range map[string]struct {
		at    int
		value byte
	}{
		"LogBlowup is 0, want 1 to 4":        {0, 0},
		"LogBlowup is 5, want 1 to 4":        {0, 5},
		"Queries is 0, want 1 to 1024":       {1, 0},
		"Queries is 1028, want 1 to 1024":    {2, 4},
		"GrindingBits is 49, want 0 to 48":   {3, 49},
		"LogArity is 0, want 1 to 4":         {4, 0},
		"LogArity is 5, want 1 to 4":         {4, 5},
		"LogFinalLength is 11, want 0 to 10": {5, 11},
		"CapHeight is 255, want 0 to 10":     {6, 255},
		"MinLogHeight is 0, want 1 to 31":    {7, 0},
		"MinLogHeight is 32, want 1 to 31":   {7, 32},
	} {
		changed := append([]byte(nil), data...)
		changed[start+change.at] = change.value
		var decoded protocol.Proof
		if err := decoded.UnmarshalBinary(changed); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// A proof of protocol 1 is refused by name.
func TestOtherVersions(t *testing.T) {
	for version, want := range map[uint32]string{
		0: "proof format version 0, want 2 or 3", 1: "a proof of protocol 1", 4: "proof format version 4, want 2 or 3",
		3: "files with keccak have version 2",
	} {
		data := encode(t, proveFib(t))
		binary.LittleEndian.PutUint32(data[len(protocol.Magic):], version)
		if err := new(protocol.Proof).UnmarshalBinary(data); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("version %d: error %v, want %q", version, err, want)
		}
	}
}

// A name is short and is text.
func TestNamesThatAreNone(t *testing.T) {
	data := encode(t, proveFib(t))
	start := len(protocol.Magic) + 4 + 8
	for name, want := range map[string]string{
		strings.Repeat("n", 65):  "65 bytes of the machine's name, want at most 64",
		strings.Repeat("n", 999): "999 bytes of the machine's name, want at most 64",
		"f\xffb":                 "the machine's name is not UTF-8",
	} {
		changed := binary.LittleEndian.AppendUint32(append([]byte(nil), data[:start]...), uint32(len(name)))
		changed = append(append(changed, name...), data[start+4+len("fib"):]...)
		var decoded protocol.Proof
		if err := decoded.UnmarshalBinary(changed); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", name, err, want)
		}
	}
}
