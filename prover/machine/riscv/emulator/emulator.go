package emulator

import (
	"sync"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator/internal/native"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

// Emulator runs a program repeatedly. Code that was translated to native code in one run is available in the next. An
// Emulator is safe for concurrent use by several goroutines.
type Emulator struct {
	program *program.Program
	uses    []uint64 // set of the registers that each code accesses
	calls   map[uint64]*call

	mutex          sync.Mutex
	idle, bare     []*native.Code // translations not in use; those in bare do not record
	spare          *record.Trace  // of an earlier run, for reuse; nil if there is none
	chunks, logged uint64         // the size of the last run's trace
}

// New returns an emulator of a program.
func New(p *program.Program) *Emulator { return &Emulator{program: p, uses: uses(p), calls: calls()} }

// take returns translations for one run, fitted to the last run, or nil if translation is not supported.
func (e *Emulator) take() *native.Code {
	if code := e.takeIdle(); code != nil {
		return code.Fitted()
	}
	return native.New(e.program, e.uses)
}

func (e *Emulator) takeIdle() *native.Code { return e.takeFrom(&e.idle) }

func (e *Emulator) takeFrom(list *[]*native.Code) *native.Code {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	n := len(*list)
	if n == 0 {
		return nil
	}
	code := (*list)[n-1]
	*list = (*list)[:n-1]
	return code
}

func (e *Emulator) giveBack(code *native.Code) { e.giveTo(&e.idle, code) }

func (e *Emulator) giveTo(list *[]*native.Code, code *native.Code) {
	if code == nil {
		return
	}
	e.mutex.Lock()
	defer e.mutex.Unlock()
	*list = append(*list, code)
}

// Translates reports whether earlier runs left translations. If they did, recording a run in parts is faster than
// recording it whole.
func (e *Emulator) Translates() bool {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	return len(e.idle) > 0
}
