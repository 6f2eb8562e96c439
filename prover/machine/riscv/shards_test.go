package riscv_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/run"
)

// shardsOf are the shards of a run.
func shardsOf(t *testing.T, file []byte, private, public string, count int) (*riscv.Program, []*machine.Shard) {
	t.Helper()
	p, err := riscv.New(file)
	if err != nil {
		t.Fatal(err)
	}
	input := run.Input{Data: []byte(private), Public: []byte(public), MinLogHeight: 8, Pool: parallel.New(2)}
	shards, err := run.Shards(context.Background(), p, input, run.Even(count))
	if err != nil {
		t.Fatal(err)
	}
	return p, shards
}

// Each shard of a run satisfies all constraints, and the counted instances of all shards balance like the run: no row
// is duplicated or missing. Instances that do not count look up what the specification says.
func TestShardsBalance(t *testing.T) {
	for name, tc := range map[string]struct {
		file            []byte
		private, public string
		count           int
	}{
		"sample": {sample(), samplePrivate, samplePublic, 3}, "calls": {callsRun(), "", "", 2},
	} {
		t.Run(name, func(t *testing.T) {
			p, shards := shardsOf(t, tc.file, tc.private, tc.public, tc.count)
			balance(t, p.Fillers(), shards)
		})
	}
}

// balance requires that each shard satisfies all constraints, and that all shards balance together.
func balance(t *testing.T, fillers *machine.Fillers, shards []*machine.Shard) {
	t.Helper()
	public := shards[0].Public()
	var counting []air.Instance
	for number, shard := range shards {
		gaps := map[goldilocks.Element]goldilocks.Element{}
		for _, filled := range filledShard(t, fillers, shard) {
			switch {
			case shard.Last || !circuit.CountsOnce(filled.Table) && len(filled.Lookups) == 0:
				counting = append(counting, filled.Instance)
			case filled.Name == table.Boundary.String():
				for _, gap := range filled.Trace.Main[filled.Column("d")] {
					gaps[gap]++
				}
			}
		}
		for _, message := range shard.Unanswered {
			if message.Bus.Name != "R20" || message.Kind != air.Send {
				t.Errorf("shard %d: no table sends %v", number, message)
			}
			gaps[message.Values[0]] -= message.Multiplicity
		}
		for gap, n := range gaps {
			if n != 0 {
				t.Errorf("shard %d: lookups of a gap of %d are off by %d", number, gap, n)
			}
		}
	}
	air.CountLookups(counting, public.Values, fillers.Machine.Messages(public)) // in the last shard's tables
	if err := air.CheckBuses(counting, public.Values, fillers.Machine.Messages(public)); err != nil {
		t.Error(err)
	}
}

// If a run has the inputs of the previous run, its shards are known before it begins and are the same, even if it is
// recorded in concurrent parts.
func TestShardsOfAKnownRun(t *testing.T) {
	for _, parts := range []int{1, 2, 3, 8} {
		t.Run(fmt.Sprint(parts), func(t *testing.T) { shardsOfAKnownRun(t, parts) })
	}
}

func shardsOfAKnownRun(t *testing.T, parts int) {
	p, first := shardsOf(t, sample(), samplePrivate, samplePublic, 3)
	p.PartsFrom(1)
	p.RecordIn(parts)
	input := run.Input{
		Data:         []byte(samplePrivate),
		Public:       []byte(samplePublic),
		MinLogHeight: 8,
		Pool:         parallel.New(2),
	}
	three := run.Even(3)
	again, err := run.Shards(t.Context(), p, input, three)
	if err != nil {
		t.Fatal(err)
	}
	for i := range first {
		if !reflect.DeepEqual(first[i].Instances(), again[i].Instances()) ||
			!reflect.DeepEqual(first[i].Public(), again[i].Public()) {
			t.Errorf("shard %d has other instances, or states something else", i)
		}
		if !reflect.DeepEqual(first[i].Records(), again[i].Records()) {
			t.Errorf("shard %d has other records", i)
		}
		sameDerivation(t, again[i].Device().Derive(), first[i].Device().Derive())
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("enough"))
	stopped, err := run.Shards(ctx, p, input, three)
	if err != nil {
		t.Fatal(err)
	}
	for i, shard := range stopped {
		grow := shard.Device().Derive().Grow
		if err := grow(noGrowth); err == nil || !strings.Contains(err.Error(), "enough") {
			t.Errorf("shard %d of a run that was stopped is replayed: %v", i, err)
		}
		filler := p.Fillers().Of(shard.Instances()[0])
		if err := filler.Fill(parallel.New(1), shard.Execution, 0, nil); err == nil ||
			!strings.Contains(err.Error(), "enough") {
			t.Errorf("shard %d of a run that was stopped: %v", i, err)
		}
	}
	input.Limit = 1
	if _, err := run.Shards(t.Context(), p, input, three); err == nil ||
		!strings.Contains(err.Error(), "had not ended after 1 cycle,") {
		t.Errorf("beyond the limit: %v", err)
	}
}

// A whole run that is known, recorded in parts at once or by one core, is the run that was executed.
func TestExecutionOfAKnownRun(t *testing.T) {
	p, err := riscv.New(sample())
	if err != nil {
		t.Fatal(err)
	}
	input := run.Input{
		Data:         []byte(samplePrivate),
		Public:       []byte(samplePublic),
		MinLogHeight: 8,
		Pool:         parallel.New(2),
	}
	first, err := run.Execute(t.Context(), p, input)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ parts, from, comes, groups int }{
		{1, 1, 4, 4}, {2, 1, 2, 2}, {8, 1, 4, 4}, {8, 3, 4, 2},
	} {
		parts := c.parts
		p.RecordIn(parts)
		p.PartsFrom(c.from)
		again, err := run.Execute(t.Context(), p, input)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(first.Instances(), again.Instances()) || !reflect.DeepEqual(first.Public(), again.Public()) {
			t.Errorf("%d parts: it has other instances, or states something else", parts)
		}
		if !reflect.DeepEqual(first.Records(), again.Records()) {
			t.Errorf("%d parts: it has other records", parts)
		}
		d, comes, groups := again.Device().Derive(), 0, 0
		err = d.Grow(func(_ map[int][]uint64, steps []machine.Step) error {
			comes++
			if steps != nil {
				groups++
			}
			return nil
		})
		if err != nil || comes != c.comes || groups != c.groups {
			t.Errorf("%d parts: it comes in %d and is replayed in %d groups, want %d and %d: %v", parts, comes, groups, c.comes,
				c.groups, err)
		}
		sameDerivation(t, d, first.Device().Derive())
		again.Release()
	}
}

func noGrowth(map[int][]uint64, []machine.Step) error { return nil }

// sameDerivation asserts that a streaming run has the derivation of the finished run: in the end the same words are
// sent, and the remaining records of the chunks are consecutive from the same chunk on.
func sameDerivation(t *testing.T, d, want *machine.Derivation) {
	t.Helper()
	sent, last := maps.Clone(d.Sent), want.Steps
	kept, counted := keptChunks(t, last)
	var grown []machine.Step
	err := d.Grow(func(known map[int][]uint64, steps []machine.Step) error {
		for number, words := range known {
			if !slices.Equal(sent[number], words[:len(sent[number])]) {
				t.Errorf("set %d changes while it grows", number)
			}
			sent[number] = words
		}
		grown = append(grown, steps...)
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if k, c := keptChunks(t, grown); k != kept || c != counted {
		t.Errorf("chunks from %d to %d, want %d to %d", k, c, kept, counted)
	}
	if !reflect.DeepEqual(sent, want.Sent) || !reflect.DeepEqual(d.Parts, want.Parts) ||
		!reflect.DeepEqual(d.Steps, last[len(last)-len(d.Steps):]) {
		t.Error("it is replayed from something else")
	}
}

// keptChunks returns the first chunk whose records are kept, and the end of the last group of chunks, which must be
// consecutive.
func keptChunks(t *testing.T, steps []machine.Step) (first, end uint64) {
	t.Helper()
	const stays = 1 << 32
	first = math.MaxUint64
	for _, step := range steps {
		if step.Kernel != "replay_emit" {
			continue
		}
		if step.A != end {
			t.Errorf("a group begins at chunk %d, want %d", step.A, end)
		}
		if end = step.B & (stays - 1); step.B&stays != 0 {
			first = min(first, step.A)
		}
	}
	return first, end
}

// filledTable is an instance with the table that it is of.
type filledTable struct {
	*air.Table
	air.Instance
}

// filledShard fills the columns of a shard, which satisfy their constraints.
func filledShard(t *testing.T, fillers *machine.Fillers, shard *machine.Shard) (list []filledTable) {
	t.Helper()
	pool := parallel.New(2)
	for i, instance := range shard.Instances() {
		declared := fillers.Machine.Tables[instance.Table]
		columns := make([][]goldilocks.Element, len(declared.Main))
		for c := range columns {
			columns[c] = make([]goldilocks.Element, 1<<instance.LogHeight)
		}
		if err := fillers.Of(instance).Fill(pool, shard.Execution, i, columns); err != nil {
			t.Fatal(err)
		}
		filled := air.Instance{Table: declared, Trace: air.Trace{Main: columns, Preprocessed: preprocessed(declared)}}
		if len(declared.Lookups) > 0 {
			list = append(list, filledTable{declared, filled})
			continue // of counts only, which satisfy any constraint
		}
		if broken := declared.Violations(filled.Trace, shard.Public().Values, nil, 1); len(broken) > 0 {
			t.Fatal(&broken[0])
		}
		list = append(list, filledTable{declared, filled})
	}
	return list
}

// Shards have about equal sizes, but at least one chunk each, and there cannot be more shards than chunks.
func TestShardsAreEven(t *testing.T) {
	file := loop(40 * record.ChunkCycles)
	for count := range 7 {
		_, shards := shardsOf(t, file, "", "", count+1)
		least, most := math.MaxInt, 0
		for _, shard := range shards {
			records := shard.Records() // of five words a row, and of three a row of the boundary
			cells := len(records[table.ADDIQ])/5*table.Cells(table.ADDIQ) +
				len(records[table.Boundary])/3*table.Cells(table.Boundary)
			if shard.Last && len(records[table.ADDIQ]) <= 5*record.ChunkCycles {
				continue // the boundary alone exceeds a share
			}
			least, most = min(least, cells), max(most, cells)
		}
		if chunk := record.ChunkCycles * table.Cells(table.ADDIQ); most > least+2*chunk {
			t.Errorf("%d shards have from %d to %d cells, a chunk has %d", count+1, least, most, chunk)
		}
	}
	p, err := riscv.New(loop(2*record.ChunkCycles + 5))
	if err != nil {
		t.Fatal(err)
	}
	for count, want := range map[int]bool{0: false, 1: true, 3: true, 4: false} {
		shards, err := run.Shards(t.Context(), p, run.Input{Data: []byte{}, MinLogHeight: 8}, run.Even(count))
		if (err == nil) != want || err != nil && !strings.Contains(err.Error(), "can have at most 3 shards") {
			t.Errorf("%d shards of 3 chunks: %v", count, err)
		}
		for i, shard := range shards {
			if len(shard.Records()[table.ADDIQ]) == 0 {
				t.Errorf("shard %d of %d has no records", i, count)
			}
		}
	}
}

// Shards have the requested fractions of all cells. The last shard includes what a run has once.
func TestShardsInParts(t *testing.T) {
	p, err := riscv.New(loop(100 * record.ChunkCycles))
	if err != nil {
		t.Fatal(err)
	}
	input := run.Input{Data: []byte{}, MinLogHeight: 8}
	parts := []int{10, 50, 40}
	shards, err := run.Shards(t.Context(), p, input, run.Parts(func(int) []int { return parts }))
	if err != nil {
		t.Fatal(err)
	}
	cells, all := make([]int, len(shards)), 0
	for i, shard := range shards {
		records := shard.Records() // of five words a row, and of three a row of the boundary
		cells[i] = len(records[table.ADDIQ])/5*table.Cells(table.ADDIQ) +
			len(records[table.Boundary])/3*table.Cells(table.Boundary)
		all += cells[i]
	}
	for i, have := range cells {
		if want, chunk := all*parts[i]/100,
			2*record.ChunkCycles*table.Cells(table.ADDIQ); have < want-chunk || have > want+chunk {
			t.Errorf("shard %d has %d cells of %d, want %d parts of 100", i, have, all, parts[i])
		}
	}
	for _, part := range []int{-1, 0, 1<<30 + 1} {
		_, err := run.Shards(t.Context(), p, input, run.Parts(func(int) []int { return []int{1, part} }))
		if err == nil || !strings.Contains(err.Error(), "shard 1 has part") {
			t.Errorf("a part of %d: %v", part, err)
		}
	}
}

// loop is a program of at least the given number of cycles, all of the same kind.
func loop(cycles int) []byte {
	p := riscvtest.NewProgram(nil)
	for range cycles {
		p.Op(instruction.ADDI, 5, 5, 0, 1)
	}
	return p.ELF(false)
}

// A shard's records are the same in any order of requests, and after Rest, with and without states; after Release there
// are none.
func TestShardsInAnyOrder(t *testing.T) {
	_, want := shardsOf(t, sample(), samplePrivate, samplePublic, 4)
	var shards []*machine.Shard
	for _, states := range []int{0, 1 << 20} {
		var p *riscv.Program
		p, shards = shardsOf(t, sample(), samplePrivate, samplePublic, 4)
		p.KeepStates(states)
		for _, number := range []int{2, 0, 1, 3, 3, 0} {
			for range 2 {
				if !reflect.DeepEqual(shards[number].Records(), want[number].Records()) {
					t.Fatalf("room for states of %d words: shard %d has other records", states, number)
				}
				shards[number].Rest()
			}
		}
	}
	shards[1].Release()
	if shards[1].Records() != nil {
		t.Error("a released shard has records")
	}
	if !reflect.DeepEqual(shards[2].Records(), want[2].Records()) {
		t.Error("after another one's release a shard has other records")
	}
}
