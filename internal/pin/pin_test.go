package pin

import (
	"os/exec"
	"strings"
	"testing"
)

// A test run includes the pins. This test fails under -tags nopins, which is only for planted bugs.
func TestPinsAreOn(t *testing.T) {
	if !On() {
		t.Error("pins are off: run the tests without -tags nopins")
	}
	if t.Run("pin", func(t *testing.T) { Test(t) }); t.Skipped() {
		t.Error("a pin is skipped")
	}
}

// The tag chooses one of the two files, so that either can be built.
func TestTagTurnsPinsOff(t *testing.T) {
	for tags, want := range map[string]string{"": "[on.go pin.go]", "nopins": "[off.go pin.go]"} {
		out, err := exec.Command("go", "list", "-tags", tags, "-f", "{{.GoFiles}}", ".").CombinedOutput()
		if got := strings.TrimSpace(string(out)); err != nil || got != want {
			t.Errorf("-tags %q: files %s, %v, want %s", tags, got, err, want)
		}
	}
}
