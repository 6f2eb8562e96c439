package plural

import "testing"

func TestOf(t *testing.T) {
	for _, tc := range []struct{ got, want string }{
		{Of(0, "pair"), "0 pairs"}, {Of(1, "pair"), "1 pair"}, {Of(2, "pair"), "2 pairs"}, {Of(-1, "pair"), "-1 pairs"},
		{Of(0, "access"), "0 accesses"}, {Of(1, "access"), "1 access"},
		{Of(uint64(1)<<63, "access"), "9223372036854775808 accesses"},
	} {
		if tc.got != tc.want {
			t.Errorf("%q, want %q", tc.got, tc.want)
		}
	}
}
