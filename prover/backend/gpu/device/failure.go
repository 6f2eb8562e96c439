package device

import (
	"errors"
	"fmt"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/compile"
	"github.com/chiasmus/chiasmus/cuda/nvrtc"
	"github.com/chiasmus/chiasmus/prover/backend"
)

// Failed says whether an error is the device's: a driver call, memory, a kernel that does not compile. Others are of
// the statement, or of this program, and a proof on the CPU would not mend or would hide them.
func Failed(err error) bool {
	var call *cuda.Error
	var budget *cuda.BudgetError
	var memory *backend.MemoryError
	var compilation *nvrtc.Error
	var noCompiler *compile.NoCompilerError
	return errors.As(err, &call) || errors.As(err, &budget) || errors.As(err, &memory) || errors.As(err, &compilation) ||
		errors.As(err, &noCompiler)
}

// Lost is the failure that ended the use of the device in this process, or nil: a sticky one, or one that left work
// queued which cannot be waited for.
func (h *Handle) Lost() error {
	if err := h.Context.Lost(); err != nil {
		return err
	}
	return h.undrained
}

// Drain waits for all queued work after a recoverable failure, so that no memory is used again while a kernel may
// still write it. The wait itself may fail recoverably once. If it does so again the device is given up.
func (h *Handle) Drain() error {
	var err error
	for range 2 {
		if err = h.Context.Synchronize(); err == nil {
			h.Transfer.used = 0 // of the staging memory nothing is in use either
			return nil
		}
	}
	h.undrained = fmt.Errorf("the device cannot be waited for, and its memory is left alone: %w", err)
	return h.Lost()
}
