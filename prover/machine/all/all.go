// Package all lists the machines that can be proven. A new machine is one line
// here.
package all

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/fib"
	"github.com/chiasmus/chiasmus/prover/machine/keccak"
)

// machines are the machines by name, in the order in which they are listed.
// They are built when they are asked for.
var machines = []struct {
	name  string
	build func() (machine.Program, error)
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

// Lookup builds the machine of that name; the error lists the names there are.
func Lookup(name string) (machine.Program, error) {
	for _, m := range machines {
		if m.name == name {
			return m.build()
		}
	}
	return nil, fmt.Errorf("no machine named %q: there are %q", name, Names())
}

// List builds all machines.
func List() ([]machine.Program, error) {
	programs := make([]machine.Program, len(machines))
	for i, m := range machines {
		p, err := m.build()
		if err != nil {
			return nil, err
		}
		programs[i] = p
	}
	return programs, nil
}
