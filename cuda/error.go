package cuda

import (
	"errors"
	"fmt"

	"github.com/chiasmus/chiasmus/cuda/driver"
)

// Error is a failed driver call.
type Error struct {
	Call     string        // cuLaunchKernel
	Detail   string        // the operand: the kernel, or the buffer's label and size
	Stage    string        // the stage named by [Context.SetStage], if any
	Result   driver.Result // 719
	Name     string        // CUDA_ERROR_LAUNCH_FAILED
	Text     string        // unspecified launch failure
	Injected bool          // by a [FaultPlan]
}

func (e *Error) Error() string {
	call := e.Call
	if e.Detail != "" {
		call += "(" + e.Detail + ")"
	}
	if e.Stage != "" {
		call += " in stage " + e.Stage
	}
	text := fmt.Sprintf("%s: %s (%d): %s", call, e.Name, e.Result, e.Text)
	if e.Injected {
		text += " (injected fault)"
	}
	return text
}

// Sticky reports whether the context is lost. See [IsSticky].
func (e *Error) Sticky() bool { return e.Result.Sticky() }

// IsSticky reports whether err means that the device context is lost and this process must stop using the GPU. Other
// device errors are recoverable: after the streams are drained, memory can be reused.
func IsSticky(err error) bool {
	var failure *Error
	return errors.As(err, &failure) && failure.Sticky()
}

// IsOutOfMemory reports whether err means that device memory or an arena's budget is exhausted.
func IsOutOfMemory(err error) bool {
	var failure *Error
	var budget *BudgetError
	return errors.As(err, &failure) && failure.Result == driver.OutOfMemory || errors.As(err, &budget)
}
