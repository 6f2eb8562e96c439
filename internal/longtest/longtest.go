// Package longtest leaves tests of several seconds to make test-long, so that make test ends while a person waits.
//
// CI runs both. A test calls [Only] as its first statement; .ci/long-tests finds it by that.
package longtest

import (
	"os"
	"testing"
)

// Variable is the environment variable that make test-long sets to 1.
const Variable = "CHIASMUS_LONG_TESTS"

// Only skips a test outside of make test-long.
func Only(t *testing.T) {
	t.Helper()
	if os.Getenv(Variable) != "1" {
		t.Skip("takes several seconds: make test-long runs it")
	}
}
