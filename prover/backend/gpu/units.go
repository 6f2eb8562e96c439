package gpu

import (
	"github.com/chiasmus/chiasmus/cuda/compile"
	"github.com/chiasmus/chiasmus/prover/machine"
)

// machineUnits are the kernel files of one machine, beside the fixed ones.
func machineUnits(m *machine.Machine) ([]compile.Unit, error) {
	return nil, nil
}
