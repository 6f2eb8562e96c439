package independent

import (
	"encoding/binary"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
)

// fileWriter writes proof files piece by piece.
type fileWriter struct{ bytes []byte }

func (w *fileWriter) count(counts ...int) *fileWriter {
	for _, n := range counts {
		w.bytes = binary.LittleEndian.AppendUint32(w.bytes, uint32(n))
	}
	return w
}

func (w *fileWriter) zeros(n int) *fileWriter { return w.raw(make([]byte, n)) }

func (w *fileWriter) raw(b []byte) *fileWriter {
	w.bytes = append(w.bytes, b...)
	return w
}

// start is a file up to the list of instances: parameters without grinding, so that no nonce is needed.
func start() *fileWriter {
	w := (&fileWriter{}).raw([]byte("CHIASMUS")).count(2).raw([]byte{1, 4, 0, 0, 2, 2, 1, 5})
	return w.count(3).raw([]byte("toy")).zeros(32)
}

// empty is a file of empty lists, from the list of instances on: 4 of the statement, 3 caps, claimed sums, 5 phases,
// FRI caps, final polynomial, 5 openings of 2 and the layers.
const listsToOpenings = 4 + 3 + 1 + 5 + 2

func TestEmptyLists(t *testing.T) {
	w := start()
	for range listsToOpenings + 5*2 + 1 {
		w.count(0)
	}
	if _, err := parseProof(w.bytes); err != nil {
		t.Fatal(err)
	}
	for cut := range w.bytes {
		if _, err := parseProof(w.bytes[:cut]); err == nil {
			t.Fatalf("the first %d bytes are a proof", cut)
		}
	}
	if _, err := parseProof(append(w.bytes, 0)); err == nil {
		t.Error("a byte more is a proof")
	}
}

func TestVersionsAndParameters(t *testing.T) {
	header := (&fileWriter{}).raw([]byte("CHIASMUS")).count(1).bytes
	if _, err := parseProof(header); err == nil || !strings.Contains(err.Error(), "protocol 1") {
		t.Errorf("version 1 is refused with %v", err)
	}
	valid := start().bytes
	for name, change := range map[string]func(b []byte){
		"another magic":          func(b []byte) { b[0] = 'c' },
		"version 3":              func(b []byte) { b[8] = 3 },
		"blowup 1":               func(b []byte) { b[12] = 0 },
		"blowup 32":              func(b []byte) { b[12] = 5 },
		"no queries":             func(b []byte) { b[13] = 0 },
		"1,025 queries":          func(b []byte) { b[13], b[14] = 1, 4 },
		"49 bits of grinding":    func(b []byte) { b[15] = 49 },
		"arity 1":                func(b []byte) { b[16] = 0 },
		"arity 32":               func(b []byte) { b[16] = 5 },
		"2,048 coefficients":     func(b []byte) { b[17] = 11 },
		"caps of 2,048 nodes":    func(b []byte) { b[18] = 11 },
		"tables of one row":      func(b []byte) { b[19] = 0 },
		"tables of 2^32 rows":    func(b []byte) { b[19] = 32 },
		"a name of 65 bytes":     func(b []byte) { b[20] = 65 },
		"a name that is no text": func(b []byte) { b[24] = 0xff },
	} {
		w := &fileWriter{bytes: append([]byte{}, valid...)}
		change(w.bytes)
		w.zeros(400)
		if _, err := parseProof(w.bytes); err == nil || strings.Contains(err.Error(), "follow the end") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Every limit of section 8 exceeded by one, with all the bytes that it takes.
func TestLimits(t *testing.T) {
	zeros := func(n int) *fileWriter { // n empty lists after the start
		w := start()
		for range n {
			w.count(0)
		}
		return w
	}
	many := func(w *fileWriter, n, size int) []byte { return w.count(n).zeros(n*size + 1000).bytes }
	for name, tc := range map[string]struct {
		file []byte
		want string
	}{
		"instances":          {many(start(), 257, 3), "instances"},
		"program headers":    {many(zeros(1), 2, 48), "program headers"},
		"heights":            {many(zeros(1).count(1).zeros(40), 9, 1), "heights of a program"},
		"nodes of a program": {many(zeros(1).count(1).zeros(40).count(0), 1025, 32), "nodes of a program"},
		"public values":      {many(zeros(2), 1025, 8), "public values"},
		"public data":        {many(zeros(3), 1<<20+1, 1), "public data"},
		"nodes of a cap":     {many(zeros(4), 1025, 32), "nodes of a cap"},
		"claimed sums":       {many(zeros(7), 257, 24), "claimed sums"},
		"entries":            {many(zeros(8), 257, 8), "opened entries"},
		"values at z":        {many(zeros(8).count(1), 32769, 24), "values at z"},
		"values at gz":       {many(zeros(8).count(1, 0), 32769, 24), "values at gz"},
		"FRI caps":           {many(zeros(13), 33, 4), "FRI caps"},
		"nodes of a FRI cap": {many(zeros(13).count(1), 1025, 32), "nodes of an FRI cap"},
		"coefficients":       {many(zeros(14), 1025, 24), "final coefficients"},
		"matrices":           {many(zeros(15), 257, 16), "matrices"},
		"rows":               {zeros(15).count(1, 1025, 1).zeros(8 * 1025).bytes, "a matrix of 1025 rows"},
		"no rows":            {zeros(15).count(1, 0, 1).zeros(100).bytes, "a matrix of 0 rows"},
		"no columns":         {zeros(15).count(1, 1, 0).zeros(100).bytes, "and 0 columns"},
		"columns":            {zeros(15).count(1, 1, 32769).zeros(8 * 32769).bytes, "32769 columns"},
		"columns of all": {zeros(15).count(1, 1, 32768).zeros(8*32768).count(0).count(1, 1, 1).zeros(100).bytes,
			"1 columns"},
		"layers":             {many(zeros(15+10), 33, 8), "FRI openings"},
		"matrices of layers": {many(zeros(15+10).count(1), 2, 16), "matrices"},
		"an element of p":    {zeros(2).count(1).raw(le64(p)).zeros(100).bytes, "element"},
		"a count of 2^32-1":  {zeros(2).count(1<<32 - 1).zeros(100).bytes, "public values"},
	} {
		if _, err := parseProof(tc.file); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want an error about %q", name, err, tc.want)
		}
	}
}

// Decoding takes at most twice the file's memory, also for malicious files: lists of only empty lists, and counts
// larger than the rest of the file.
func TestDecodingMemory(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	files := map[string][]byte{"nothing": nil}
	lists := start()
	for range 8 {
		lists.count(0)
	}
	for range 5 {
		lists.count(256).zeros(256 * 8)
	}
	files["empty entries"] = lists.bytes
	lists = start()
	for range 13 {
		lists.count(0)
	}
	files["empty caps"] = lists.count(32).zeros(32 * 4).bytes
	lists = start()
	for range 15 {
		lists.count(0)
	}
	files["small matrices"] = lists.count(256).bytes
	for range 256 {
		lists.count(1, 1).zeros(8)
	}
	files["small matrices, all there"] = lists.bytes
	for range 200 {
		w := start()
		for range 1 + random.IntN(30) {
			w.count(random.IntN(1 << random.IntN(20)))
			w.zeros(random.IntN(200))
		}
		files[string(w.bytes[len(w.bytes)-20:])] = w.bytes
	}
	for name, file := range files {
		if took := leastAllocated(func() { parseProof(file) }); took > 2*uint64(len(file))+4096 {
			t.Errorf("%q: %d bytes of %d bytes", name, took, len(file))
		}
	}
}

// leastAllocated returns the number of bytes that a function allocates: the minimum of a few runs, because other
// goroutines allocate too.
func leastAllocated(work func()) uint64 {
	least := uint64(1<<64 - 1)
	for range 3 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		work()
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	return least
}
