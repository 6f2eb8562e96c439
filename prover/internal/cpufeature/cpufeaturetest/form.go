// Package cpufeaturetest runs tests with every set of kernels.
package cpufeaturetest

import (
	"testing"

	"github.com/chiasmus/chiasmus/prover/internal/cpufeature"
)

// InEveryForm runs the test with each supported set of kernels, and then restores the active one. If the active set is
// not the best one, as in make test-cpu, only the active set is tested: the run with the best set tests all sets.
func InEveryForm(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	before, levels := cpufeature.Active(), cpufeature.Supported()
	if before != cpufeature.Best() {
		levels = []cpufeature.Level{before}
	}
	defer func() {
		if err := cpufeature.Set(before); err != nil {
			t.Error(err)
		}
	}()
	for _, level := range levels {
		if err := cpufeature.Set(level); err != nil {
			t.Fatal(err)
		}
		t.Run(level.String(), test)
	}
}
