package gpu

import (
	"github.com/chiasmus/chiasmus/cuda/compile"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/tracegen"
	"github.com/chiasmus/chiasmus/prover/machine"
)

// machineUnits are the kernel files of one machine, beside the fixed ones.
func machineUnits(m *machine.Machine) ([]compile.Unit, error) {
	var units []compile.Unit
	for _, u := range quotientUnits(m) {
		units = append(units, kernels.Generated(u.Name, u.Text))
	}
	units = append(units, busUnits(m)...)
	trace, err := tracegen.Units(m)
	return append(units, trace...), err
}
