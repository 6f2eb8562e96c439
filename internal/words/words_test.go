package words

import (
	"testing"
	"time"
)

func TestSpan(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second:                    "0 s",
		300 * time.Microsecond:          "1 ms",
		431 * time.Millisecond:          "431 ms",
		999_600 * time.Microsecond:      "1.0 s",
		2100 * time.Millisecond:         "2.1 s",
		9_960 * time.Millisecond:        "10 s",
		119 * time.Second:               "119 s",
		2 * time.Minute:                 "2 min 0 s",
		72*time.Minute + 31*time.Second: "1 h 13 min",
		26 * time.Hour:                  "26 h 0 min",
	} {
		if got := Span(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}
