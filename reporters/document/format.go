package document

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/chiasmus/chiasmus/internal/words"
	"github.com/chiasmus/chiasmus/stats"
)

// absent replaces a missing number.
const absent = "-"

// unit is a named multiple of a quantity's base unit.
type unit struct {
	size float64
	name string
}

// units maps the suffix of a metric's name to its units, largest first.
var units = map[string][]unit{
	"_seconds": {{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}},
	"_bytes":   {{1 << 40, "TiB"}, {1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}, {1, "B"}},
	"_share":   {{0.01, "%"}},
	"_percent": {{1, "%"}},
	"_joules":  {{1, "J"}},
	"_watts":   {{1, "W"}},
	"_celsius": {{1, "°C"}},
	"_mhz":     {{1, "MHz"}},
}

// Unit returns the unit for printing a value of a metric: the largest one that gives a number of at least 1. The metric
// name's suffix determines the units. A metric without a unit has size 1 and no name.
func Unit(metric string, value float64) (size float64, name string) {
	at := strings.LastIndexByte(metric, '_')
	if at < 0 {
		return 1, ""
	}
	list := units[metric[at:]]
	if len(list) == 0 {
		return 1, ""
	}
	for _, u := range list {
		// A value that rounds up to one unit at four digits is printed in that unit.
		if math.Abs(value) >= u.size*0.99995 {
			return u.size, u.name
		}
	}
	last := list[len(list)-1]
	return last.size, last.name
}

// Quantity formats the value of a metric in its unit with four digits.
func Quantity(metric string, value float64) string {
	if !stats.Number(value).Exists() {
		return absent
	}
	size, name := Unit(metric, value)
	return strings.TrimSpace(digits(value/size, 4) + " " + name)
}

// digits formats a number with n significant digits, without an exponent if that is readable.
func digits(value float64, n int) string {
	size := math.Abs(value)
	switch {
	case value == 0:
		return "0"
	case value == math.Trunc(value) && size < 1e7:
		return strconv.FormatFloat(value, 'f', 0, 64)
	case size >= 1e-4 && size < 1e7:
		// The exponent after rounding: 0.99999 with four digits is 1.000, not 1.0000.
		_, exponent, _ := strings.Cut(strconv.FormatFloat(size, 'e', n-1, 64), "e")
		power, err := strconv.Atoi(exponent)
		if err != nil {
			return absent
		}
		return strconv.FormatFloat(value, 'f', max(0, n-1-power), 64)
	}
	return strconv.FormatFloat(value, 'g', n, 64)
}

// number formats a statistic with five digits.
func number(value stats.Number) string {
	if !value.Exists() {
		return absent
	}
	return digits(float64(value), 5)
}

// interval formats an interval.
func interval(i stats.Interval) string {
	if !i.Exists() {
		return absent
	}
	return "[" + digits(i.Low, 5) + ", " + digits(i.High, 5) + "]"
}

// PValue formats a p-value with four digits.
func PValue(p stats.Number) string {
	switch {
	case !p.Exists():
		return absent
	case p != 0 && p < 1e-4:
		return strconv.FormatFloat(float64(p), 'e', 2, 64)
	}
	return digits(float64(p), 4)
}

// decimals is the number of decimals of a percentage with the uncertainty half: two significant digits of half, at most
// three decimals.
func decimals(half float64) int {
	if !(half > 0) || math.IsInf(half, 0) {
		return 2
	}
	return min(3, max(0, 1-int(math.Floor(math.Log10(half)))))
}

// fixed formats a percentage with the given decimals, never as -0.
func fixed(value float64, decimals int) string {
	text := strconv.FormatFloat(value, 'f', decimals, 64)
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-")
	}
	return text
}

// share formats a fraction as a percentage.
func share(value stats.Number) string {
	if !value.Exists() {
		return absent
	}
	return fixed(100*float64(value), 2) + " %"
}

// duration formats seconds that are not compared (see harness.Span).
func duration(seconds float64) string {
	if !(seconds >= 0) || seconds > 1e9 {
		return absent
	}
	return words.Span(time.Duration(seconds * float64(time.Second)))
}

// moment formats a time in UTC.
func moment(t time.Time) string {
	if t.IsZero() {
		return absent
	}
	return t.UTC().Format("2006-01-02 15:04:05 UTC")
}

// confidence is the 95 of "95 % CI".
func confidence(alpha float64) string { return digits(100*(1-alpha), 5) + " %" }
