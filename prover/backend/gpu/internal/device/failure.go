package device

import (
	"errors"
	"fmt"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/compile"
	"github.com/chiasmus/chiasmus/cuda/nvrtc"
	"github.com/chiasmus/chiasmus/prover/backend"
)

// Failed reports whether an error is a failure of the device: of a driver call, memory, or the compilation of a kernel.
// Other errors come from the statement or from this program. A proof on the CPU would not fix them, or would hide them.
func Failed(err error) bool {
	var call *cuda.Error
	var budget *cuda.BudgetError
	var memory *backend.MemoryError
	var compilation *nvrtc.Error
	var noCompiler *compile.NoCompilerError
	return errors.As(err, &call) || errors.As(err, &budget) || errors.As(err, &memory) || errors.As(err, &compilation) ||
		errors.As(err, &noCompiler)
}

// Lost returns the failure that ended the use of the device in this process, or nil: a sticky failure, or one after
// which waiting for queued work failed.
func (h *Handle) Lost() error {
	if err := h.Context.Lost(); err != nil {
		return err
	}
	return h.undrained
}

// Drain waits for all queued work after a recoverable failure, so that no memory is reused while a kernel may still
// write it. The wait itself may fail recoverably once. If it fails again, the device counts as lost.
func (h *Handle) Drain() error {
	var err error
	for range 2 {
		if err = h.Context.Synchronize(); err == nil {
			h.Transfer.used = 0 // no staging memory is in use either
			return nil
		}
	}
	h.undrained = fmt.Errorf("waiting for the device failed, so its memory cannot be reused: %w", err)
	return h.Lost()
}
