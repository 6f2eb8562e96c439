package kernels_test

import (
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/internal/testdevice"
	"github.com/chiasmus/chiasmus/cuda/kernels"
)

// gather gathers, from memory of exactly the size that is said to do.
func gather(t *testing.T, d *testdevice.Device, set *kernels.Set, list []kernels.Gathering) []uint64 {
	t.Helper()
	tableWords, outWords := kernels.GatherWords(list)
	table, out := d.Take("table", int(tableWords)), d.Take("gathered", int(outWords))
	send := func(to cuda.Span, words []uint64) error { return d.Stream.Copy(to, d.Put("sent", words).All()) }
	must(t, set.Gather(d.Stream, out.All(), table.All(), send, list))
	return d.Get(out)
}

// Rows of columns and of codewords' entries, with one list for several matrices, are what a look at each word finds.
func TestGather(t *testing.T) {
	everyDevice(t, func(t *testing.T, d *testdevice.Device) {
		set := loadSet(d)
		const height = 48
		a, b, codeword := testdevice.Elements(1, 3*height), testdevice.Elements(2, 5*height), testdevice.Elements(3, 3*height)
		indices, entries := []uint64{47, 0, 7, 7, 31}, []uint64{11, 3}
		list := []kernels.Gathering{
			{From: columns(d.Put("a", a), height, 3).Rows(), Rows: indices},
			{From: columns(d.Put("codeword", codeword), height, 3).Entries(2), Rows: entries},
			{From: columns(d.Put("b", b), height, 5).Rows(), Rows: indices},
		}
		var want []uint64
		rows := func(words []uint64, width int) {
			for _, row := range indices {
				for c := range width {
					want = append(want, words[c*height+int(row)])
				}
			}
		}
		rows(a, 3)
		for _, row := range entries {
			for entry := 4 * row; entry < 4*row+4; entry++ {
				for k := range uint64(3) {
					want = append(want, codeword[k*height+entry])
				}
			}
		}
		rows(b, 5)
		for i, got := range gather(t, d, set, list) {
			if got != want[i] {
				t.Fatalf("word %d: %d, want %d", i, got, want[i])
			}
		}
	})
}

func TestGatherRefusesWhatDoesNotFit(t *testing.T) {
	d := testdevice.Open(t, testdevice.Options{})
	set := loadSet(d)
	from := columns(d.Take("a", 24), 8, 3)
	out, table := d.Take("out", 6), d.Take("table", 10)
	send := func(cuda.Span, []uint64) error {
		t.Error("words are sent for a gathering that is refused")
		return nil
	}
	good := kernels.Gathering{From: from.Rows(), Rows: []uint64{7, 0}}
	wide := good
	wide.From.Group, wide.From.Width = 4, 4
	for what, list := range map[string][]kernels.Gathering{
		"nothing":          nil,
		"no rows":          {{From: from.Rows()}},
		"a row too far":    {{From: from.Rows(), Rows: []uint64{8}}},
		"a column too far": {wide},
		"too many rows":    {{From: from.Rows(), Rows: []uint64{1, 2, 3}}},
		"too many lists":   {good, {From: from.Rows(), Rows: []uint64{1}}},
		"a node too far":   {{From: kernels.Tree{Nodes: from.Span}.Digests(), Rows: []uint64{6}}},
	} {
		if err := set.Gather(d.Stream, out.All(), table.All(), send, list); err == nil {
			t.Errorf("%s: no error", what)
		}
	}
}
