package cli_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/cli"
)

// The runner must never interpret text that the harness repeats in a job's log as a command.
func TestNothingPrintedInAJobIsACommand(t *testing.T) {
	for job, command := range map[string]string{"true": "\n:\\:set-output", "": "\n::set-output"} {
		t.Setenv("GITHUB_ACTIONS", job)
		var out, errors bytes.Buffer
		cli.Main([]string{"history", "none\n::set-output name=plan::{}"}, &out, &errors)
		if text := errors.String(); !strings.Contains(text, command) {
			t.Errorf("in a job %q: %q", job, text)
		}
	}
}
