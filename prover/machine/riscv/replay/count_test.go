package replay

import "testing"

// A gap of 2^20 needs no refresh, one more does.
func TestRefreshes(t *testing.T) {
	for _, tc := range []struct {
		last, now uint64
		want      uint32
	}{
		{0, 1, 0}, {0, 1 << 20, 0}, {0, 1<<20 + 1, 1}, {0, 2 << 20, 1}, {0, 2<<20 + 1, 2}, {5, 1<<20 + 5, 0},
		{5, 1<<20 + 6, 1},
		{1<<30 - 1<<20 - 1, 1<<30 - 1, 0}, {0, 1<<30 - 1, 1023},
		{1<<32 - 5, 1<<32 - 5 + 1<<20, 0}, {1<<32 - 5, 1<<32 - 4 + 1<<20, 1}, {0, 1<<34 - 1, 1<<14 - 1},
	} {
		if got := refreshes(tc.last, tc.now); got != tc.want {
			t.Errorf("from %d to %d: %d refreshes, want %d", tc.last, tc.now, got, tc.want)
		}
	}
}
