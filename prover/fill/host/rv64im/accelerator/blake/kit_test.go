package blake_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/blake"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/blake2b"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/blake3"
	host "github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator/acceleratortest"
	"github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator/blake"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// function is a function with its accelerator.
type function struct {
	*circuit.Function
	kind *accelerator.Kind
}

func (f function) filler() host.Filler { return blake.Filler(f.Function, f.kind) }

var functions = []function{{&blake2b.Function, &blake2b.Kind}, {&blake3.Function, &blake3.Kind}}

// examples are inputs of calls: extremes and random words.
func (f function) examples(count int) (calls [][]uint64) {
	random := rand.New(rand.NewPCG(7, uint64(f.Limbs)))
	for i := range count {
		call := make([]uint64, f.kind.Read())
		for k := range call {
			switch i {
			case 0: // zeros
			case 1:
				call[k] = ^uint64(0)
			default:
				call[k] = random.Uint64()
			}
		}
		calls = append(calls, call)
	}
	return calls
}

// idle is a row without a call, far from any call.
const idle = 200

// subject is the rows of three calls, of which the last two are random.
func (f function) subject(t testing.TB) *forger {
	t.Helper()
	calls := f.examples(4)[1:]
	return &forger{f, acceleratortest.New(t, f.filler(), calls...), calls}
}

// forger changes rows.
type forger struct {
	function
	*acceleratortest.Subject
	calls [][]uint64
}

func (f *forger) clone() *forger { return &forger{f.function, f.Clone(), f.calls} }

// cell is a cell of the rounds.
func (f *forger) cell(name string, i, row int) *goldilocks.Element {
	return f.Work.Cell(fmt.Sprintf("%s[%d]", name, i), row)
}

// put writes a row of the rounds.
func (f *forger) put(at int, row []goldilocks.Element) {
	for c, v := range row {
		f.Work.Columns[c][at] = v
	}
}

// broken are the constraints and buses, except the parts' bus, that refuse the rows.
func (f *forger) broken() []string {
	return slices.DeleteFunc(f.Broken(), func(name string) bool { return name == f.Table+"P" })
}

// refused checks that the rows are refused for exactly these reasons, whatever the call's row contains.
func (f *forger) refused(t *testing.T, name string, want ...string) {
	t.Helper()
	if found := f.broken(); !slices.Equal(found, want) {
		t.Errorf("%s, %s: refused by %q, want %q", f.Name, name, found, want)
	}
}

// has reports whether a constraint's name has the prefix.
func has(name, prefix string) bool { return strings.HasPrefix(name, prefix) }
