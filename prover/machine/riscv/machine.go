package riscv

import (
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	device "github.com/chiasmus/chiasmus/prover/fill/device/rv64im"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/elf"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/run"
)

// errReleased is returned if tables are filled after their records were released.
var errReleased = errors.New("riscv: the execution's records were released when its tables were filled: execute again")

// Program is a guest with the machine made for it.
type Program struct {
	guest    *program.Program   // nil if only the program's id is known
	emulator *emulator.Emulator // of the guest
	*statement.Claims
	declared *rv64im.Declared
	fillers  *machine.Fillers

	leastParts int    // see PartsFrom
	parts      int    // see RecordIn
	late       uint32 // see BeginLate
	states     int    // see KeepStates

	mutex sync.Mutex
	last  *outcome   // the last run that was cut into shards; nil for none
	plans []*outcome // the latest planned runs

	resting int // the number of runs whose parts will not be guessed
}

var _ run.Program = (*Program)(nil)

// New returns the program of an ELF file.
func New(file []byte) (*Program, error) {
	loaded, err := elf.Load(file)
	if err != nil {
		return nil, err
	}
	guest, err := program.New(loaded)
	if err != nil {
		return nil, err
	}
	p := &Program{
		guest:      guest,
		emulator:   emulator.New(guest),
		leastParts: leastParts,
		parts:      partsFor(runtime.GOMAXPROCS(0)),
		states:     mostKept,
	}
	return p, p.declare(guest.Heights(), circuit.Image{Entry: loaded.Entry, Digest: loaded.ImageDigest()})
}

// Known returns a program of which a verifier has only the id. The heights of its tables, entry and image come with a
// proof, and are checked against the id. The program cannot be run.
func Known(image circuit.Image, imageLogHeight, programLogHeight int) (*Program, error) {
	p := new(Program)
	return p, p.declare(rv64im.Heights{Image: imageLogHeight, Program: programLogHeight}, image)
}

func (p *Program) declare(heights rv64im.Heights, image circuit.Image) (err error) {
	var columns *rv64im.Program
	if p.guest != nil {
		columns = &p.guest.Program
	}
	if p.declared, err = rv64im.Declare(columns, heights); err != nil {
		return err
	}
	if p.Claims, err = statement.New(p.declared.Tables, p.declared.Buses, image); err != nil {
		return err
	}
	m := p.Machine()
	p.fillers = &machine.Fillers{Machine: m, RecordWords: p.recordWords, Deriver: device.Deriver()}
	fillers := device.Fillers(p.Declared())
	for i := range m.Tables {
		filler := machine.Filler{Fill: fill(p.Declared().Number[i]), Device: fillers[i]}
		p.fillers.Tables = append(p.fillers.Tables, filler)
	}
	return p.fillers.Validate()
}

// fill returns the filler of a table. Lookup and preprocessed tables have no records to fill from.
func fill(number table.Table) func(*parallel.Pool, machine.Execution, int, [][]goldilocks.Element) error {
	return func(pool *parallel.Pool, execution machine.Execution, instance int, columns [][]goldilocks.Element) error {
		e, ok := execution.(*Execution)
		switch {
		case !ok:
			return fmt.Errorf("riscv: an execution of type %T is not this machine's", execution)
		case number == 0 || number == table.Program || number == table.Image:
			return nil // only counts, or nothing
		}
		made, err := e.records.get()
		if err != nil {
			return err
		}
		first := circuit.FirstRecord(e.instances, instance, table.RowsOfRecord(number))
		return made.filler.Fill(pool, number, first, columns)
	}
}

// recordWords returns the lengths of the largest record sets that fit the instances.
func (p *Program) recordWords(list []circuit.Instance) []uint64 {
	return device.MostWords(p.rowsOf(list), p.guest)
}

// Declared returns the machine's tables with their numbers.
func (p *Program) Declared() *rv64im.Declared { return p.declared }

// Fillers returns the fillers of the machine's tables.
func (p *Program) Fillers() *machine.Fillers { return p.fillers }

// Guest returns the decoded program; nil if only its id is known.
func (p *Program) Guest() *program.Program { return p.guest }

// errNoGuest is returned if the program's file is needed.
var errNoGuest = errors.New("riscv: only the program's id is known: its file is needed to run it")
