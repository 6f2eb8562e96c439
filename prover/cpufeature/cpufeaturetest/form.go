// Package cpufeaturetest runs tests with every set of kernels.
package cpufeaturetest

import (
	"testing"

	"github.com/chiasmus/chiasmus/prover/cpufeature"
)

// InEveryForm runs the test with each set of kernels that the processor has, and then sets the one that was set before.
func InEveryForm(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	before := cpufeature.Active()
	defer func() {
		if err := cpufeature.Set(before); err != nil {
			t.Error(err)
		}
	}()
	for _, level := range cpufeature.Supported() {
		if err := cpufeature.Set(level); err != nil {
			t.Fatal(err)
		}
		t.Run(level.String(), test)
	}
}
