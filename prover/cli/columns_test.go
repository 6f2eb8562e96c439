package cli

import (
	"testing"

	"github.com/chiasmus/chiasmus/internal/columns"
)

// The help of every command fits 80 columns.
func TestHelpFits(t *testing.T) {
	for _, line := range columns.TooWide((&program{}).root()) {
		t.Error(line)
	}
}
