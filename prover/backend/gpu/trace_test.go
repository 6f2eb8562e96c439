package gpu

import (
	"errors"
	"flag"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/tracegen"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// On a GPU host: -trace keccak:16384,fib:4194304.
var traceCases = flag.String("trace", "fib:32,fib:1024,keccak:1,keccak:7,keccak:70", "MACHINE:SIZE of the traces that are compared with the host's, separated by commas")

// tableValues reads the values over the trace domain of a table's uncommitted columns.
func tableValues(t testing.TB, c *proverContext, table kernels.Columns, n uint64) (values [][]goldilocks.Element) {
	t.Helper()
	err := c.stage("test", func(*cuda.Scope) error {
		for k := range table.Count {
			column, err := table.Part(k, 1, n)
			if err != nil {
				return err
			}
			words, err := c.download(column.Span)
			if err != nil {
				return err
			}
			values = append(values, elements(words))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err, c.backend.Finding())
	}
	return values
}

func elements(words []uint64) []goldilocks.Element {
	list := make([]goldilocks.Element, len(words))
	for i, word := range words {
		list[i] = goldilocks.Element(word)
	}
	return list
}

// compareTrace compares the main columns on the device with what the witness fills on the host, table by table.
func compareTrace(t testing.TB, c *proverContext, main *columns, witness machine.Witness) (errs []error) {
	t.Helper()
	for i, table := range c.shape.Machine.Tables {
		n := c.height(i)
		host := cut(make([]goldilocks.Element, n*uint64(len(table.Main))), n)
		if err := witness.Fill(parallel.New(0), i, host); err != nil {
			t.Fatal(err)
		}
		recordRows := n
		if g := tracegen.Main(c.shape.Machine, table); g != nil {
			recordRows = g.RecordRows(uint64(len(witness.Records(i))))
		}
		if err := tracegen.Compare(table.Name, table.Main, tableValues(t, c, main.tables[i], n), host, recordRows); err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}

// compareTraced fills the columns of a traced witness and compares them with a host's.
func compareTraced(t testing.TB, c *proverContext, witness, host machine.Witness) []error {
	t.Helper()
	handle, err := c.backend.Trace(c, witness)
	if err != nil {
		t.Fatal(err, c.backend.Finding())
	}
	defer c.backend.Release(c, handle)
	return compareTrace(t, c, handle.(*columns), host)
}

func synthetic(t testing.TB, program machine.Program, size int, seed uint64, shape *backend.Shape) machine.Witness {
	t.Helper()
	witness, err := program.Synthetic(size, seed, slices.Min(shape.LogHeights))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(witness.LogHeights(), shape.LogHeights) {
		t.Fatalf("the witness has heights %v, want %v", witness.LogHeights(), shape.LogHeights)
	}
	return witness
}

// onHost hides a witness's records.
type onHost struct{ machine.Witness }

func (onHost) Records(int) []uint64 { return nil }

// Every table with records is filled on the device, and every cell is the host's. Without records the host's own cells go
// up.
func TestTraceIsTheHosts(t *testing.T) {
	for _, text := range strings.Split(*traceCases, ",") {
		t.Run(text, func(t *testing.T) {
			name, number, _ := strings.Cut(text, ":")
			size, err := strconv.Atoi(number)
			if err != nil {
				t.Fatalf("-trace: %q is no MACHINE:SIZE", text)
			}
			program, shape := shapeOf(t, name, size)
			everyDevice(t, size <= 64, func(t *testing.T, b *Backend) {
				c := prepare(t, b, shape)
				for seed := range uint64(2) {
					compareDeviceTrace(t, c, synthetic(t, program, size, seed, &shape))
				}
				if witness := (onHost{synthetic(t, program, size, 3, &shape)}); size <= 2048 {
					for _, err := range compareTraced(t, c, witness, witness) {
						t.Error(err, b.Finding())
					}
				}
			})
		})
	}
}

// compareDeviceTrace expects tables to have records just where there is a generator for them, and the host's cells.
func compareDeviceTrace(t *testing.T, c *proverContext, witness machine.Witness) {
	t.Helper()
	m := c.shape.Machine
	for i, table := range m.Tables {
		if (witness.Records(i) == nil) != (tracegen.Main(m, table) == nil) {
			t.Errorf("table %s has only one of records and a generator", table.Name)
		}
	}
	before := c.device.Counters().Launches
	for _, err := range compareTraced(t, c, witness, witness) {
		t.Error(err, c.backend.Finding())
	}
	if c.device.Counters().Launches == before {
		t.Error("no kernel was launched")
	}
}

// A thread of the fib table walks on behind its first row.
func TestTraceOfManyRows(t *testing.T) {
	program, shape := shapeOf(t, "fib", 1<<18)
	b := openBackend(t, Options{Seed: 4})
	c := prepare(t, b, shape)
	witness := synthetic(t, program, 1<<18, 9, &shape)
	for _, err := range compareTraced(t, c, witness, witness) {
		t.Error(err)
	}
}

// What is sent does not overtake kernels that still write the same memory for a trace that was given back.
func TestTraceBehindAnother(t *testing.T) {
	program, shape := shapeOf(t, "keccak", 2)
	everyDevice(t, true, func(t *testing.T, b *Backend) {
		c := prepare(t, b, shape)
		first, second := synthetic(t, program, 2, 1, &shape), onHost{synthetic(t, program, 2, 2, &shape)}
		handle, err := b.Trace(c, first)
		if err != nil {
			t.Fatal(err, b.Finding())
		}
		b.Release(c, handle)
		for _, err := range compareTraced(t, c, second, second) {
			t.Error(err, b.Finding())
		}
	})
}

// Records, and tables that the host fills, pass through the staging memory in parts where they do not fit it.
func TestTraceInParts(t *testing.T) {
	program, shape := shapeOf(t, "keccak", 40)
	everyDevice(t, false, func(t *testing.T, b *Backend) {
		b.bulk.each = 300
		c := prepare(t, b, shape)
		witness := synthetic(t, program, 40, 9, &shape)
		for _, w := range []machine.Witness{witness, onHost{witness}} {
			for _, err := range compareTraced(t, c, w, w) {
				t.Error(err, b.Finding())
			}
		}
	})
}

// What a cheating prover changes is what the device gets.
func TestTraceOfAMutatedWitness(t *testing.T) {
	program, shape := shapeOf(t, "keccak", 2)
	everyDevice(t, false, func(t *testing.T, b *Backend) {
		c := prepare(t, b, shape)
		honest := synthetic(t, program, 2, 5, &shape)
		bad := &machine.Mutated{Witness: honest, Change: func(table int, columns [][]goldilocks.Element) {
			columns[0][3] = columns[0][3].Add(1)
		}}
		for _, err := range compareTraced(t, c, bad, bad) {
			t.Error(err)
		}
		if len(compareTraced(t, c, bad, honest)) == 0 {
			t.Error("the change is not there")
		}
	})
}

// shortened is a witness with fewer records than it should have: the kernel gets a wrong number of used permutations.
type shortened struct{ machine.Witness }

func (s shortened) Records(table int) []uint64 {
	records := s.Witness.Records(table)
	if table == 1 {
		return records[:len(records)-25]
	}
	return records
}

// A kernel with a wrong argument is found, and the report names columns and rows and tells records from padding.
func TestMismatchReport(t *testing.T) {
	program, shape := shapeOf(t, "keccak", 3)
	b := openBackend(t, Options{Seed: 6})
	c := prepare(t, b, shape)
	witness := synthetic(t, program, 3, 7, &shape)
	errs := compareTraced(t, c, shortened{witness}, witness)
	var mismatch *tracegen.MismatchError
	if len(errs) != 1 || !errors.As(errs[0], &mismatch) {
		t.Fatalf("found %v", errs)
	}
	if mismatch.Table != "keccak-f" || mismatch.Records != mismatch.Cells || !slices.Contains(mismatch.Columns, "export") || mismatch.First[0].Row < 48 || mismatch.First[0].Row >= 72 {
		t.Errorf("%+v", mismatch)
	}
	if text := mismatch.Error(); !strings.Contains(text, "table keccak-f: ") || !strings.Contains(text, "output[0], row 48 (a record's)") {
		t.Error(text)
	}
	// The other way round: the host's padding against the device's records.
	errs = compareTraced(t, c, witness, relabelled{witness})
	if len(errs) != 1 || !errors.As(errs[0], &mismatch) || mismatch.Records != 0 || !mismatch.First[0].Padding || !strings.Contains(mismatch.Error(), "(padding)") {
		t.Errorf("found %v", errs)
	}
}

// relabelled has the host's cells changed in padding.
type relabelled struct{ machine.Witness }

func (r relabelled) Fill(pool *parallel.Pool, table int, columns [][]goldilocks.Element) error {
	err := r.Witness.Fill(pool, table, columns)
	if table == 1 {
		columns[58][100] = 1
	}
	return err
}

// Preprocessed columns made on the device are the host's.
func TestPreprocessedIsTheHosts(t *testing.T) {
	_, shape := shapeOf(t, "keccak", 1)
	everyDevice(t, true, func(t *testing.T, b *Backend) {
		c := prepare(t, b, shape)
		var own *columns
		err := c.stage("preprocessed", func(scope *cuda.Scope) (err error) {
			if own, err = c.newColumns(backend.Preprocessed); err != nil {
				return err
			}
			return c.preprocess(scope, own)
		})
		if err != nil {
			t.Fatal(err, b.Finding())
		}
		defer b.Release(c, own)
		for i, table := range shape.Machine.Tables {
			if len(table.Preprocessed) == 0 {
				continue
			}
			if tracegen.Preprocessed(shape.Machine, table) == nil {
				t.Errorf("table %s has no generator of preprocessed columns", table.Name)
			}
			device := tableValues(t, c, own.tables[i], c.height(i))
			if err := tracegen.Compare(table.Name, table.Preprocessed, device, table.PreprocessedColumns(), 0); err != nil {
				t.Error(err)
			}
		}
	})
}

// A witness of other heights, and records of another length, are refused.
func TestTraceRefuses(t *testing.T) {
	program, shape := shapeOf(t, "fib", 64)
	b := openBackend(t, Options{Seed: 8})
	c := prepare(t, b, shape)
	before := c.arena.Used()
	witness, err := program.Synthetic(128, 1, 3)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Trace(c, witness); err == nil || !strings.Contains(err.Error(), "table fib: the witness has 2^7 rows, want 2^6") {
		t.Errorf("another height: %v", err)
	}
	if _, err := b.Trace(c, withRecords{synthetic(t, program, 64, 1, &shape), make([]uint64, 3)}); err == nil || !strings.Contains(err.Error(), "table fib: 3 words of records") {
		t.Errorf("too many records: %v", err)
	}
	if _, err := b.Trace(c, withRecords{synthetic(t, program, 64, 1, &shape), make([]uint64, 1)}); err == nil || !strings.Contains(err.Error(), "table fib: 1 words of records") {
		t.Errorf("too few records: %v", err)
	}
	if used := c.arena.Used(); used != before {
		t.Errorf("%d bytes are still taken after failures, %d before", used, before)
	}
}

type withRecords struct {
	machine.Witness
	records []uint64
}

func (w withRecords) Records(int) []uint64 { return w.records }
