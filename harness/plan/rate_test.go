package plan

import (
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/harness/journal"
)

func TestRate(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	ago := func(days ...int) (runs []journal.Directory) {
		for _, d := range days {
			runs = append(runs, journal.Directory("/runs/"+now.AddDate(0, 0, -d).Format("20060102T150405.000Z")+
				"-3f2a91c-9b07d1e"))
		}
		return runs
	}
	if r := rateOf(ago(40, 27, 14, 1, 0), now); r == nil || r.Runs != 4 || r.PerWeek() != 1 {
		t.Errorf("four weeks: %+v", r)
	}
	if r := rateOf(append(ago(14, 1), "/runs/other"), now); r == nil || r.PerWeek() != 1 {
		t.Errorf("a folder of two weeks: %+v", r)
	}
	if r := rateOf(ago(3, 2), now); r != nil {
		t.Errorf("a folder of three days: %+v", r)
	}
}
