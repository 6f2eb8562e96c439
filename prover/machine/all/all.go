// Package all lists the machines that can be proven. A new machine is one line here. The machine that runs programs is
// built for each program: [riscv.Known] builds it for verifiers, and [Machine] without a program, to show its tables.
package all

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/fib"
	"github.com/chiasmus/chiasmus/prover/machine/keccak"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instances"
	"github.com/chiasmus/chiasmus/prover/run"
)

// machines are the machines by name, in the order of lists. They are built on demand.
var machines = []struct {
	name  string
	build func() (run.Program, error)
}{
	{"keccak", keccak.Program},
	{"fib", fib.Program},
}

// Names lists the names of all machines.
func Names() []string {
	names := make([]string, len(machines))
	for i, m := range machines {
		names[i] = m.name
	}
	return names
}

// Lookup builds the machine of that name. The error lists the known names.
func Lookup(name string) (run.Program, error) {
	for _, m := range machines {
		if m.name == name {
			return m.build()
		}
	}
	if OfPrograms(name) {
		return nil, fmt.Errorf("machine %s runs programs: pass a program, or its id", name)
	}
	return nil, fmt.Errorf("no machine named %q: there are %q", name, MachineNames())
}

// MachineNames lists the names of all machines, the one that runs programs last.
func MachineNames() []string { return append(Names(), statement.Name) }

// Machine returns the machine of that name: tables, buses, constraints. The machine that runs programs is built without
// a program: its tables are the same for all programs, and the tables that hold the program stay empty.
func Machine(name string) (*circuit.Machine, error) {
	fillers, err := Fillers(name)
	if err != nil {
		return nil, err
	}
	return fillers.Machine, nil
}

// Fillers returns the fillers of the machine of that name, as [Machine] makes it.
func Fillers(name string) (*machine.Fillers, error) {
	if !OfPrograms(name) {
		program, err := Lookup(name)
		if err != nil {
			return nil, err
		}
		return program.Fillers(), nil
	}
	program, err := riscv.Known(circuit.Image{}, instances.MinLog, instances.MinLog)
	if err != nil {
		return nil, err
	}
	return program.Fillers(), nil
}

// OfPrograms reports whether the machine of that name is built for a program, which a name does not identify.
func OfPrograms(name string) bool { return name == statement.Name }

// List builds all machines.
func List() ([]run.Program, error) {
	programs := make([]run.Program, len(machines))
	for i, m := range machines {
		p, err := m.build()
		if err != nil {
			return nil, err
		}
		programs[i] = p
	}
	return programs, nil
}
