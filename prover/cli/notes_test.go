package cli

import (
	"bytes"
	"testing"
)

// A repeated run shows only the notes that earlier runs did not reach, however the notes are split.
func TestNotesAreShownOnce(t *testing.T) {
	var out bytes.Buffer
	shown := &notes{out: &out}
	for _, run := range [][]string{{"one ", "tw"}, {"o", "ne two", " thr"}, {"one two three"}, {"one"}} {
		show := shown.ofRun()
		for _, text := range run {
			show([]byte(text))
		}
	}
	if out.String() != "one two three" {
		t.Errorf("shown is %q, want %q", out.String(), "one two three")
	}
	if (*notes)(nil).ofRun() != nil {
		t.Error("where nothing is shown, a run is asked for its notes")
	}
}
