package tracegen

import (
	"errors"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

func TestCompare(t *testing.T) {
	host := [][]goldilocks.Element{{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}}
	device := [][]goldilocks.Element{{1, 2, 3, 4}, {5, 0, 7, 0}, {9, 10, 0, 12}}
	names := []string{"a", "b", "c"}
	if err := Compare("t", names, host, host, 2); err != nil {
		t.Errorf("equal columns: %v", err)
	}
	var mismatch *MismatchError
	if err := Compare("t", names, device, host, 2); !errors.As(err, &mismatch) {
		t.Fatalf("error %v", err)
	}
	want := "table t: 3 cells differ between device and host, 1 in rows with a record and 2 in padding, in 2 columns; b, row 1 (a record's): device 0, host 6; c, row 2 (padding): device 0, host 11"
	if mismatch.Error() != want {
		t.Errorf("%s, want %s", mismatch, want)
	}
	if err := Compare("t", names, device[:2], host, 2); err == nil || !strings.Contains(err.Error(), "2 columns on the device and 3 on the host, want 3") {
		t.Errorf("missing column: %v", err)
	}
	if err := Compare("t", names, [][]goldilocks.Element{{1}, {2}, {3}}, host, 2); err == nil || !strings.Contains(err.Error(), "column a has 1 rows on the device and 4 on the host") {
		t.Errorf("short column: %v", err)
	}
	wide := make([][]goldilocks.Element, 12)
	for i := range wide {
		wide[i] = []goldilocks.Element{goldilocks.Element(i)}
	}
	zero := make([][]goldilocks.Element, 12)
	for i := range zero {
		zero[i] = []goldilocks.Element{12}
	}
	err := Compare("t", make([]string, 12), wide, zero, 1)
	if !errors.As(err, &mismatch) || len(mismatch.First) != shownColumns || !strings.HasSuffix(err.Error(), "; and 4 further columns") {
		t.Errorf("many columns: %v", err)
	}
}
