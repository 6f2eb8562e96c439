package riscv

import (
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/replay"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/table"
)

// A run is recorded in parts where there are cores, where it is long and has run before, and where its memory is small.
func TestWhatGoesInParts(t *testing.T) {
	p, err := New(riscvtest.Guest(t, "fib"))
	if err != nil {
		t.Fatal(err)
	}
	p.RecordIn(8)
	long := func() *outcome { return &outcome{chunks: leastParts} }
	if p.goesInParts(long()) {
		t.Error("a program that never ran goes in parts")
	}
	if _, err := p.emulator.Run(t.Context(), memory.Inputs{Private: riscvtest.Numbers(1)}, emulator.Options{}); err != nil {
		t.Fatal(err)
	}
	if !p.emulator.Translates() {
		t.Skip("there are no translations on this system")
	}
	if !p.goesInParts(long()) {
		t.Error("a long run does not go in parts")
	}
	for name, change := range map[string]func(o *outcome){
		"a short run":    func(o *outcome) { o.chunks-- },
		"much memory":    func(o *outcome) { o.rows[table.Boundary] = mostWords + 1 },
		"a long input":   func(o *outcome) { o.private = make([]byte, memory.WordBytes*(mostWords+1)) },
		"no other cores": func(*outcome) { p.RecordIn(1) },
	} {
		o := long()
		change(o)
		if p.goesInParts(o) {
			t.Errorf("%s: it goes in parts", name)
		}
		p.RecordIn(8)
	}
}

func TestPartsFor(t *testing.T) {
	for cores, want := range map[int]int{1: 1, 3: 1, 4: 4, 7: 4, 16: 4, 24: 6, 32: 8, 128: 8} {
		if parts := partsFor(cores); parts != want {
			t.Errorf("%d cores: %d parts, want %d", cores, parts, want)
		}
	}
}

// Parts end where shards do, are about alike, and at marks; a device replays several together.
func TestPartsOfShards(t *testing.T) {
	o := new(outcome)
	for chunk := range 101 {
		o.marks = append(o.marks, replay.Mark{Chunk: 10 * chunk, Log: uint64(7 * chunk)})
	}
	c := &cutter{run: &run{program: &Program{leastParts: 200}}, cuts: []replay.Mark{o.marks[0], o.marks[25], o.marks[99], o.marks[100]}}
	c.parts = o.partsOf(c.cuts, 8)
	var ends []int
	for _, part := range c.parts {
		if ends = append(ends, part.Chunk); part.Log != uint64(7*part.Chunk/10) {
			t.Errorf("%d words of the log before chunk %d", part.Log, part.Chunk)
		}
	}
	if want := []int{130, 250, 380, 500, 620, 750, 870, 990, 1000}; !slices.Equal(ends, want) {
		t.Errorf("parts end at %v, want %v", ends, want)
	}
	for number, want := range [][]int{{250}, {250, 620, 990}, {250, 620, 990, 1000}} {
		if stops := c.stops(number); !slices.Equal(stops, want) {
			t.Errorf("shard %d: stops at %v, want %v", number, stops, want)
		}
	}
}
