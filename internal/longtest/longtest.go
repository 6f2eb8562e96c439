// Package longtest leaves tests of several seconds to make test-long, so that make test ends while a person waits.
//
// CI runs all tests at once (make test-all). A test calls [Only] as its first statement, by which .ci/long-tests finds
// the test.
package longtest

import (
	"os"
	"testing"
)

// Variable is the environment variable that make test-long and make test-all set to 1.
const Variable = "CHIASMUS_LONG_TESTS"

// Only skips a test unless Variable is 1.
func Only(t *testing.T) {
	t.Helper()
	if os.Getenv(Variable) != "1" {
		t.Skip("takes several seconds: make test-long runs it")
	}
}
