package cli

import "testing"

// The advice is the least power of two of shards of which each fits, if there is one.
func TestShardsThatFit(t *testing.T) {
	for _, tc := range []struct{ size, room, want int }{
		{1000, 1000, 2}, {1000, 500, 2}, {1000, 499, 4}, {1001, 500, 4}, {1000, 4, 256}, {1000, 3, 0},
	} {
		fits := func(size int) bool { return size <= tc.room }
		if count := shardsThatFit(tc.size, fits); count != tc.want {
			t.Errorf("a run of %d with room for %d: %d shards, want %d", tc.size, tc.room, count, tc.want)
		}
	}
}
