package gpu

import (
	"errors"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/compile"
	"github.com/chiasmus/chiasmus/cuda/nvrtc"
	"github.com/chiasmus/chiasmus/prover/backend"
)

// Failed says whether an error is the device's: a driver call, memory, a kernel that does not compile. Others are of
// the statement, or of this program, and a proof on the CPU would not mend or would hide them.
func (b *Backend) Failed(err error) bool {
	var call *cuda.Error
	var budget *cuda.BudgetError
	var memory *backend.MemoryError
	var compilation *nvrtc.Error
	var noCompiler *compile.NoCompilerError
	return errors.As(err, &call) || errors.As(err, &budget) || errors.As(err, &memory) || errors.As(err, &compilation) || errors.As(err, &noCompiler)
}

// Lost is the sticky failure that ended the use of the device in this process, or nil.
func (b *Backend) Lost() error { return b.device.Lost() }
