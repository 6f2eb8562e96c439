// Package longtest excludes tests of several seconds from make test, so that it stays fast. make test-long runs them.
//
// CI runs all tests at once (make test-all). A long test calls [Only] in its first statement; .ci/long-tests finds the
// tests by this call.
package longtest

import (
	"os"
	"testing"
)

// Variable is the environment variable that make test-long and make test-all set to 1.
const Variable = "CHIASMUS_LONG_TESTS"

// On reports whether long tests are to run. Other tests then may try more cases: make test-all runs these, make
// test-long does not.
func On() bool { return os.Getenv(Variable) == "1" }

// Only skips a test unless long tests are to run.
func Only(t *testing.T) {
	t.Helper()
	if !On() {
		t.Skip("takes several seconds: make test-long runs it")
	}
}
