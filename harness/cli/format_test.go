package cli

import (
	"os"
	"testing"
)

// A terminal gets colour, unless NO_COLOR or TERM says otherwise.
func TestTerminalColour(t *testing.T) {
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no pseudo-terminal: %v", err)
	}
	defer terminal.Close()
	for _, test := range []struct {
		noColour, term string
		want           bool
	}{{"", "xterm", true}, {"1", "xterm", false}, {"", "dumb", false}} {
		t.Setenv("NO_COLOR", test.noColour)
		t.Setenv("TERM", test.term)
		if got := terminalOptions(terminal).Colour; got != test.want {
			t.Errorf("NO_COLOR %q, TERM %q: colour %v", test.noColour, test.term, got)
		}
	}
}
