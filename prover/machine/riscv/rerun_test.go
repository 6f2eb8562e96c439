package riscv

import (
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/replay"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
)

// A run is recorded in parts if there are enough cores, the run is long and not the first, and its memory is small.
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
	if _, err := p.emulator.Run(t.Context(), memory.Inputs{Private: riscvtest.Numbers(1)},
		emulator.Options{}); err != nil {
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
		"a long input":   func(o *outcome) { o.private = make([]byte, memorymap.WordBytes*(mostWords+1)) },
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
	for cores, want := range map[int]int{1: 1, 3: 1, 4: 4, 8: 4, 12: 6, 16: 8, 128: 8} {
		if parts := partsFor(cores); parts != want {
			t.Errorf("%d cores: %d parts, want %d", cores, parts, want)
		}
	}
}

// Parts end where shards do, have about equal lengths, and start at marks; a device replays several together.
func TestPartsOfShards(t *testing.T) {
	o := &outcome{chunks: 1000, log: 700}
	for chunk := range 100 {
		o.places = append(o.places, emulator.Cut{Chunk: 10 * chunk, Log: uint64(7 * chunk)})
	}
	shards := []emulator.Cut{{Chunk: 255, Log: 178}, {Chunk: 990, Log: 693}, o.end()}
	parts := o.partsOf(shards, 8)
	if want := []emulator.Cut{
		{Chunk: 130, Log: 91}, {Chunk: 255, Log: 178}, {Chunk: 380, Log: 266}, {Chunk: 500, Log: 350}, {Chunk: 630, Log: 441},
		{Chunk: 750, Log: 525}, {Chunk: 870, Log: 609}, {Chunk: 990, Log: 693}, {Chunk: 1000, Log: 700},
	}; !slices.Equal(parts, want) {
		t.Errorf("parts end at %v, want %v", parts, want)
	}
	trace := &streamedTrace{stops: (&Program{leastParts: 200}).stopsOf(shards, parts)}
	c := &cutter{trace: trace, cuts: make([]replay.Mark, 1)}
	for _, shard := range shards {
		c.cuts = append(c.cuts, replay.Mark{Cut: shard})
	}
	for number, want := range [][]int{{130, 255}, {130, 255, 630, 990}, {130, 255, 630, 990, 1000}} {
		if stops := c.stops(number); !slices.Equal(stops, want) {
			t.Errorf("shard %d: stops at %v, want %v", number, stops, want)
		}
	}
	for parts, want := range map[int]int{1: 1, 4: 4, 200: 100} { // a whole run, with 100 marks
		if list := o.partsOf(shards[2:], parts); len(list) != want || list[len(list)-1] != o.end() {
			t.Errorf("%d parts: %v", parts, list)
		}
	}
	small := []emulator.Cut{{Chunk: 9, Log: 6}, o.end()}
	if list := chunksOf(o.partsOf(small, 200)); !slices.IsSorted(list) || list[0] != 9 {
		t.Errorf("parts of a shard without a place in it end at %v", list)
	}
}
