package gpu

import (
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// On a GPU host: -trace keccak:16384,fib:4194304.
var traceCases = flag.String("trace", "fib:32,fib:1024,tour:40,tour:700,keccak:1,keccak:7",
	"MACHINE:SIZE of the traces that are compared with the host's, separated by commas")

// mismatch describes how a table on the device differs from the host's.
type mismatch struct {
	table, column string
	row           int // the first in that column
	cells         int
	got, want     uint64
}

func (m mismatch) String() string {
	return fmt.Sprintf("table %s: %d cells differ; the first of column %s in row %d is %d, the host's %d", m.table,
		m.cells, m.column, m.row, m.got, m.want)
}

// mismatches compares the main columns on the device with the host fillers' for an execution. Counts come later.
func mismatches(t testing.TB, p *proof, execution machine.Execution) (list []mismatch) {
	t.Helper()
	for i := range p.shape.Instances {
		table, rows := p.shape.Table(i), p.rows(i)
		if len(table.Main) == 0 {
			continue
		}
		host := cut(make([]goldilocks.Element, rows*uint64(len(table.Main))), rows)
		if err := p.filler(i).Fill(parallel.New(0), execution, i, host); err != nil {
			t.Fatal(err)
		}
		found := mismatch{table: table.Name}
		for k, want := range host {
			if slices.ContainsFunc(table.Lookups, func(entry air.Entry) bool { return entry.Counts(k) }) {
				continue
			}
			got := downloaded(t, p, p.phases[protocol.Main].list[i], uint64(k), rows)
			for row := range want {
				if got[row] == uint64(want[row]) {
					continue
				}
				if found.cells++; found.cells == 1 {
					found.column, found.row, found.got, found.want = table.Main[k], row, got[row], uint64(want[row])
				}
			}
		}
		if found.cells > 0 {
			list = append(list, found)
		}
	}
	return list
}

// traceBegun begins a proof of an execution in an open machine and fills its columns.
func traceBegun(t testing.TB, o *openMachine, execution machine.Execution) *proof {
	t.Helper()
	begun, err := o.Begin(execution.Instances())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(begun.Close) // does nothing the second time
	if _, err := begun.Trace(execution); err != nil {
		t.Fatal(err, o.backend.Finding())
	}
	return begun.(*proof)
}

// compareTrace fills an execution's columns on the device, and expects the host's.
func compareTrace(t testing.TB, o *openMachine, execution, host machine.Execution) {
	t.Helper()
	p := traceBegun(t, o, execution)
	for _, m := range mismatches(t, p, host) {
		t.Error(m, o.backend.Finding())
	}
	p.Close()
}

// openFor opens a machine with the parameters of tests.
func openFor(t testing.TB, b *Backend, fillers *machine.Fillers) *openMachine {
	t.Helper()
	_, shape := shapeOf(t, "fib", 32)
	return openProver(t, b, fillers, shape.Params)
}

// Every table with a device filler is filled on the device, and every cell equals the host's. Without device fillers
// the host's cells are copied.
func TestTraceIsTheHosts(t *testing.T) {
	for _, text := range strings.Split(*traceCases, ",") {
		t.Run(text, func(t *testing.T) {
			name, number, _ := strings.Cut(text, ":")
			size, err := strconv.Atoi(number)
			if err != nil {
				t.Fatalf("-trace: %q is no MACHINE:SIZE", text)
			}
			program, params := programOf(t, name), testParams(t)
			everyDevice(t, size <= 64, func(t *testing.T, b *Backend) {
				o := openFor(t, b, program.Fillers())
				for seed := range uint64(2) {
					launches := b.device.Context.Counters().Launches
					execution := execute(t, program, size, seed, params)
					compareTrace(t, o, execution, execution)
					if b.device.Context.Counters().Launches == launches {
						t.Error("no kernel was launched")
					}
				}
				if size <= 2048 {
					execution := &machine.Mutated{Execution: execute(t, program, size, 3, params)}
					compareTrace(t, openFor(t, b, program.Fillers().Mutable()), execution, execution)
				}
			})
		})
	}
}

// A thread of the fib table continues after its first row.
func TestTraceOfManyRows(t *testing.T) {
	const size = 1 << 18
	program := programOf(t, "fib")
	filler := program.Fillers().Tables[0].Device
	if launch := filler.Kernels[0].Launch(size, []uint64{2}); launch.BlocksX*uint64(launch.Threads) >= size {
		t.Fatalf("%d blocks of %d threads: each has a row of its own", launch.BlocksX, launch.Threads)
	}
	execution := execute(t, program, size, 9, testParams(t))
	compareTrace(t, openFor(t, openBackend(t, Options{Seed: 4}), program.Fillers()), execution, execution)
}

// Copies to the device do not overtake kernels of an abandoned proof that still write the same memory.
func TestTraceBehindAnother(t *testing.T) {
	for _, name := range []string{"tour", "keccak"} {
		t.Run(name, func(t *testing.T) {
			program, params := programOf(t, name), testParams(t)
			everyDevice(t, name == "tour", func(t *testing.T, b *Backend) {
				o := openFor(t, b, program.Fillers())
				traceBegun(t, o, execute(t, program, 3, 1, params)).Close()
				second := execute(t, program, 2, 2, params)
				compareTrace(t, o, second, second)
			})
		})
	}
}

// Records, and tables that the host fills, are copied in parts if the staging memory is smaller.
func TestTraceInParts(t *testing.T) {
	for name, size := range map[string]int{"tour": 200, "keccak": 20} {
		t.Run(name, func(t *testing.T) {
			program, params := programOf(t, name), testParams(t)
			execution := execute(t, program, size, 9, params)
			everyDevice(t, false, func(t *testing.T, b *Backend) {
				const room = 300 // words
				b.device.Bulk.Each = room
				if !slices.ContainsFunc(execution.Records(), func(set []uint64) bool { return len(set) > room }) {
					t.Fatal("all record sets fit")
				}
				compareTrace(t, openFor(t, b, program.Fillers()), execution, execution)
				onHost := &machine.Mutated{Execution: execution}
				compareTrace(t, openFor(t, b, program.Fillers().Mutable()), onHost, onHost)
			})
		})
	}
}

// growing is an execution that hands over its record sets in pieces of the given number of words. It is used with
// takesGrowing.
type growing struct {
	machine.Execution
	steps [][]int
	truth machine.Execution // that the host's tables are filled from
}

// takesGrowing are fillers whose host part accepts [growing] executions.
func takesGrowing(fillers *machine.Fillers) *machine.Fillers {
	changed := *fillers
	changed.Tables = slices.Clone(fillers.Tables)
	for i, filler := range fillers.Tables {
		own := filler
		own.Fill = func(pool *parallel.Pool, e machine.Execution, instance int, columns [][]goldilocks.Element) error {
			if grows, ok := e.(growing); ok {
				e = grows.truth
			}
			return filler.Fill(pool, e, instance, columns)
		}
		changed.Tables[i] = own
	}
	return &changed
}

func (g growing) Device() machine.DeviceRecords {
	var words []uint64
	for _, set := range g.Records() {
		words = append(words, uint64(len(set)))
	}
	return machine.DeviceRecords{Words: words, Grow: g.grow}
}

func (g growing) grow(each func(known [][]uint64) error) error {
	for _, step := range g.steps {
		known := slices.Clone(g.Records())
		for set, words := range step {
			known[set] = known[set][:words]
		}
		if err := each(known); err != nil {
			return err
		}
	}
	return each(g.Records())
}

// Rows are filled as their records arrive, for every split, and so are rows without records: every cell equals the
// host's. Rows whose records are withheld are not filled.
func TestTraceOfAGrowingExecution(t *testing.T) {
	program := programOf(t, "keccak")
	const size, words = 7, 25
	execution := execute(t, program, size, 4, testParams(t))
	everyDevice(t, true, func(t *testing.T, b *Backend) {
		o := openFor(t, b, takesGrowing(program.Fillers()))
		for _, steps := range [][][]int{
			{{words, 0}, {words, 1}, {3*words + 8, 5}, {4*words + 1, 50}},
			{{6 * words, 60}, {7*words - 1, 60}},
		} {
			compareTrace(t, o, growing{execution, steps, execution}, execution)
		}
		short := withRecords{execution, slices.Clone(execution.Records())}
		short.records[0] = short.records[0][:(size-1)*words]
		found := mismatches(t, traceBegun(t, o, growing{short, nil, execution}), execution)
		if !slices.ContainsFunc(found, func(m mismatch) bool { return m.table == "keccak-f" && m.row == 24*(size-1) }) {
			t.Errorf("without the last permutation: %v", found)
		}
	})
}

// withRecords is an execution with other record sets.
type withRecords struct {
	machine.Execution
	records [][]uint64
}

func (w withRecords) Records() [][]uint64 { return w.records }

func (withRecords) Device() machine.DeviceRecords { return machine.DeviceRecords{} }

// Kernels use the number of records that they are given: without the last row's record, that row is padding.
func TestTraceOfFewerRecords(t *testing.T) {
	program := programOf(t, "tour")
	execution := execute(t, program, 60, 7, testParams(t))
	records := slices.Clone(execution.Records())
	step := program.Machine().Tables[0]
	records[0] = records[0][:len(records[0])-len(step.Main)]
	row := len(records[0]) / len(step.Main) // after the last
	everyDevice(t, true, func(t *testing.T, b *Backend) {
		found := mismatches(t, traceBegun(t, openFor(t, b, program.Fillers()), withRecords{execution, records}), execution)
		if len(found) != 1 || found[0].table != step.Name || found[0].column != step.Main[0] ||
			found[0].want != 1 || found[0].got != 0 {
			t.Fatalf("found %v", found)
		}
		first := uint64(0)
		for i, instance := range execution.Instances() {
			if instance.Table == 0 {
				first = circuit.FirstRow(execution.Instances(), i)
			}
		}
		if uint64(found[0].row)+first != uint64(row) {
			t.Errorf("row %d of the last instance, which begins with %d: want %d in all", found[0].row, first, row)
		}
	})
}

// An execution of other instances, and too many or missing records, are refused.
func TestTraceRefuses(t *testing.T) {
	for _, name := range []string{"fib", "tour"} {
		program, params := programOf(t, name), testParams(t)
		o := openFor(t, openBackend(t, Options{Seed: 8}), program.Fillers())
		execution := execute(t, program, 64, 1, params)
		most := program.Fillers().RecordWords(execution.Instances())
		tooLong := slices.Clone(execution.Records())
		tooLong[0] = make([]uint64, most[0]+1)
		for _, tc := range []struct {
			what      string
			execution machine.Execution
			want      string
		}{
			{"other heights", execute(t, program, 1024, 1, params), "other instances"},
			{"too many records", withRecords{execution, tooLong},
				fmt.Sprintf("record set 0 has %d words, at most %d are possible", most[0]+1, most[0])},
			{"no record sets", withRecords{execution, nil},
				"the execution has 0 record sets, and a device filler reads number 0"},
		} {
			begun, err := o.Begin(execution.Instances())
			if err != nil {
				t.Fatal(err)
			}
			_, err = begun.Trace(tc.execution)
			if err == nil || !strings.Contains(err.Error(), tc.want) || o.backend.Failed(err) {
				t.Errorf("%s, %s: %v, want %q", name, tc.what, err, tc.want)
			}
			begun.Close()
			if used := o.arena.Used(); used != 0 {
				t.Errorf("%s, %s: %d bytes stay taken", name, tc.what, used)
			}
		}
		compareTrace(t, o, execution, execution)
	}
}
