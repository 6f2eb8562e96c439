package cli

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/run"
)

// The number of shards is the least that fits, also if fewer have no proof at all.
func TestFewestShards(t *testing.T) {
	for _, tc := range []struct {
		cells, fixed, memory uint64
		most                 uint64 // of a proof
		want                 int
	}{
		{1000, 10, 600, 5000, 2}, {1000, 10, 510, 5000, 2}, {1000, 10, 509, 5000, 3}, {1000, 10, 110, 5000, 10},
		{1000, 10, 109, 5000, 11}, {25600, 10, 110, 5000, 256}, {25600, 10, 109, 5000, 0}, {1000, 10, 9, 5000, 0},
		{1000, 10, 600, 100, 10}, {1000, 10, 600, 3, 0},
	} {
		count, peak, err := fewestShards(tc.memory, func(count int) (uint64, error) {
			part := (tc.cells + uint64(count) - 1) / uint64(count)
			if part > tc.most {
				return 0, fmt.Errorf("%w: too many rows", run.ErrTooLarge)
			}
			return part + tc.fixed, nil
		})
		if count != tc.want || (err == nil) != (count > 0) || count > 0 && (peak > tc.memory || peak <= tc.fixed) {
			t.Errorf("%+v: %d shards, peak %d, %v", tc, count, peak, err)
		}
	}
	for most, want := range map[int]string{
		1:  "too little for a proof of the whole run, and",
		5:  "the largest of 5 shards takes at least 200",
		12: "",
	} {
		count, _, err := fewestShards(100, func(count int) (uint64, error) {
			if count > most {
				return 0, fmt.Errorf("%w for %d shards", run.ErrTooShort, count)
			}
			return uint64(1000 / count), nil
		})
		if want == "" && (count != 10 || err != nil) || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("a run of at most %d shards: %d shards, %v, want %q", most, count, err, want)
		}
	}
	_, _, err := fewestShards(100, func(count int) (uint64, error) {
		if count > 4 {
			return 0, fmt.Errorf("no plan of %d", count)
		}
		return 1000, nil
	})
	if err == nil || !strings.Contains(err.Error(), "no plan of 8") {
		t.Errorf("another error is %v", err)
	}
}
