package kernels_test

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/internal/testdevice"
	"github.com/chiasmus/chiasmus/cuda/kernels"
)

// gather gathers whole words, into memory of exactly the documented size, and returns how many words were sent for it.
func gather(t *testing.T, d *testdevice.Device, set *kernels.Set, list []kernels.Gathering) (got []uint64, sent int) {
	t.Helper()
	most := 0 // words to send if nothing were shared
	for _, g := range list {
		most += kernels.GatheringWords + len(g.Rows) + (len(g.Numbers)+1)/2
	}
	table, out := d.Take("table", most), d.Take("gathered", int(kernels.GatherBytes(list)/8))
	send := func(to cuda.Span, words []uint64) error {
		sent = len(words)
		return d.Stream.Copy(to, d.Put("sent", words).All())
	}
	must(t, set.Gather(d.Stream, out.All(), table.All(), send, list))
	return d.Get(out), sent
}

// Rows of columns and of codewords' entries, with one list for several matrices and with a suffix of it for another,
// and the numbers before them, equal a word-by-word lookup.
func TestGather(t *testing.T) {
	everyDevice(t, func(t *testing.T, d *testdevice.Device) {
		set := loadSet(d)
		const height, tall, wide = 48, 700, 5
		a, b := testdevice.Elements(1, 3*tall), testdevice.Elements(2, wide*height)
		codeword := testdevice.Elements(3, 3*height)
		indices, entries := []uint64{47, 0, 7, 7, 31}, []uint64{11, 3}
		many := make([]uint64, 400)
		for i := range many {
			many[i] = uint64(i*i) % tall
		}
		list := []kernels.Gathering{
			{Numbers: []uint32{1 << 31, 2, 3}, From: columns(d.Put("a", a), tall, 3).Rows(), Rows: many},
			{From: columns(d.Put("codeword", codeword), height, 3).Entries(2), Rows: entries},
			{From: columns(d.Put("b", b), height, 2).Rows(), Rows: indices[3:]}, // before the list whose end it is
			{Numbers: []uint32{4}},
			{Numbers: []uint32{5, 6}, From: columns(d.Put("b", b), height, wide).Rows(), Rows: indices},
			{From: columns(d.Put("b", b), height, 2).Rows(), Rows: indices},
			{From: columns(d.Put("b", b), height, 1).Rows(), Rows: indices[2:]},
		}
		var want []byte
		numbers := func(list ...uint32) {
			for _, number := range list {
				want = binary.LittleEndian.AppendUint32(want, number)
			}
		}
		rows := func(words []uint64, height, width int, rows []uint64) {
			for _, row := range rows {
				for c := range width {
					want = binary.LittleEndian.AppendUint64(want, words[c*height+int(row)])
				}
			}
		}
		numbers(1<<31, 2, 3)
		rows(a, tall, 3, many)
		for _, row := range entries {
			for entry := 4 * row; entry < 4*row+4; entry++ {
				for k := range uint64(3) {
					want = binary.LittleEndian.AppendUint64(want, codeword[k*height+entry])
				}
			}
		}
		rows(b, height, 2, indices[3:])
		numbers(4, 5, 6)
		rows(b, height, wide, indices)
		rows(b, height, 2, indices)
		rows(b, height, 1, indices[2:])
		words, sent := gather(t, d, set, list)
		var got []byte
		for _, word := range words {
			got = binary.LittleEndian.AppendUint64(got, word)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("gathered\n%x, want\n%x", got, want)
		}
		listed := len(many) + len(entries) + len(indices[3:]) + len(indices)
		if pairs := 2 + 1 + 1; sent != len(list)*kernels.GatheringWords+listed+pairs {
			t.Errorf("%d words are sent for %d matrices, %d rows and six numbers", sent, len(list), listed)
		}
	})
}

func TestGatherRefusesWhatDoesNotFit(t *testing.T) {
	d := testdevice.Open(t, testdevice.Options{})
	set := loadSet(d)
	from := columns(d.Take("a", 24), 8, 3)
	out, table := d.Take("out", 6), d.Take("table", kernels.GatheringWords+2)
	send := func(cuda.Span, []uint64) error {
		t.Error("words are sent for a gathering that is refused")
		return nil
	}
	good := kernels.Gathering{From: from.Rows(), Rows: []uint64{7, 0}}
	wide, long := good, good
	wide.Rows, wide.From.Group, wide.From.Width = []uint64{7}, 4, 4
	long.From.Width, long.From.Stride = 1<<30, 0
	for want, list := range map[string][]kernels.Gathering{
		"0 bytes of 0 matrices":      nil,
		"of nothing":                 {{From: from.Rows()}},
		"row 8 of 3 words":           {{From: from.Rows(), Rows: []uint64{0, 8}}},
		"row 7 of 4 words":           {wide},
		"72 bytes of 1 matrices":     {{From: from.Rows(), Rows: []uint64{1, 2, 3}}},
		"192 bytes at offset 0":      {{From: from.Rows(), Rows: []uint64{1}}, {From: from.Rows(), Rows: []uint64{1}}},
		"52 bytes of 1 matrices":     {{Numbers: make([]uint32, 13)}},
		"row 6 of 4 words":           {{From: kernels.Tree{Nodes: from.Span}.Digests(), Rows: []uint64{6}}},
		"2 rows of 1073741824 words": {long},
	} {
		err := set.Gather(d.Stream, out.All(), table.All(), send, list)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want %q", err, want)
		}
	}
}
