package document_test

import (
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/reporters/document"
	"github.com/chiasmus/chiasmus/reporters/internal/fixture"
)

// A joined report gives the number of its hosts, names a deviating host first, and shows each host's result under its
// own name, even after an excluded host.
func TestHosts(t *testing.T) {
	d := document.New(fixture.Fleet("bench-3"))
	first := d.Headlines[0]
	if !strings.Contains(first.Sentence, "56 pairs on 4 hosts") {
		t.Errorf("headline %q", first.Sentence)
	}
	if text := strings.Join(first.Caveats, "\n"); !strings.Contains(text, "host bench-3 differs from the others: ") ||
		strings.Contains(text, "bench-1") {
		t.Errorf("caveats %q", text)
	}
	var table, runs document.Table
	for _, s := range d.Sections {
		if s.ID == document.Hosts && s.Workload != "" {
			table = s.Blocks[0].(document.Table)
		} else if s.ID == document.Hosts {
			runs = s.Blocks[0].(document.Table)
		}
	}
	if len(table.Rows) != 4 || table.Rows[3][0] != "bench-4" || table.Rows[2][8] != "differs from the others" ||
		table.Rows[0][6] != "7 (process)" {
		t.Errorf("hosts %q", table.Rows)
	}
	if len(runs.Rows) != 5 || runs.Rows[4][7] != "left out" || runs.Rows[4][2] != "partial" {
		t.Errorf("runs %q", runs.Rows)
	}
	text := texts(d)
	for _, want := range []string{"SD between hosts", "I²"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
	if strings.Contains(text, "Drift over the run") {
		t.Error("pairs of hosts that ran side by side have a drift")
	}
}
