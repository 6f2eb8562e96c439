package words

import (
	"fmt"
	"strings"
	"time"
)

// Duration converts seconds to a time.Duration.
func Duration(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// OrMissing returns a text, or "missing" if it is empty.
func OrMissing(text string) string {
	if text == "" {
		return "missing"
	}
	return text
}

// Span formats a duration in the style of all reports: a number, a space and a unit, as in "431 ms", "2.1 s", "41 s",
// "1 min 12 s" and "2 h 3 min". It is for waiting times; compared times have four digits.
func Span(d time.Duration) string {
	whole := func(unit time.Duration) int64 { return int64(d.Round(unit) / unit) }
	switch {
	case d <= 0:
		return "0 s"
	case d < time.Second-time.Millisecond/2:
		return fmt.Sprintf("%d ms", max(1, whole(time.Millisecond)))
	case d < 10*time.Second-50*time.Millisecond:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case whole(time.Second) < 120:
		return fmt.Sprintf("%d s", whole(time.Second))
	case whole(time.Second) < 3600:
		return fmt.Sprintf("%d min %d s", whole(time.Second)/60, whole(time.Second)%60)
	}
	return fmt.Sprintf("%d h %d min", whole(time.Minute)/60, whole(time.Minute)%60)
}

// And joins words as in "a, b and c".
func And(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}
