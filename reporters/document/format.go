package document

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/chiasmus/chiasmus/stats"
)

// absent stands where there is no number.
const absent = "-"

// unit is a name for a power of a quantity.
type unit struct {
	size float64
	name string
}

var (
	timeUnits = []unit{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}}
	byteUnits = []unit{{1 << 40, "TiB"}, {1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}, {1, "B"}}
)

// Quantity prints the value of a metric in the unit that the end of its name gives, with four digits.
func Quantity(metric string, value float64) string {
	if !stats.Number(value).Exists() {
		return absent
	}
	switch {
	case strings.HasSuffix(metric, "_seconds"):
		return scaled(value, timeUnits)
	case strings.HasSuffix(metric, "_bytes"):
		return scaled(value, byteUnits)
	case strings.HasSuffix(metric, "_share"):
		return digits(100*value, 4) + " %"
	}
	for suffix, name := range map[string]string{
		"_joules": " J", "_watts": " W", "_celsius": " °C", "_mhz": " MHz", "_percent": " %", "_hertz": " Hz",
	} {
		if strings.HasSuffix(metric, suffix) {
			return digits(value, 4) + name
		}
	}
	return digits(value, 4)
}

// scaled picks the largest unit that leaves a number of at least one.
func scaled(value float64, units []unit) string {
	if value == 0 {
		return "0 " + units[len(units)-1].name
	}
	for i, u := range units {
		if math.Abs(value) >= u.size*0.99995 || i == len(units)-1 {
			return digits(value/u.size, 4) + " " + u.name
		}
	}
	return absent
}

// digits prints a number with so many significant digits, without an exponent where that is readable.
func digits(value float64, n int) string {
	size := math.Abs(value)
	switch {
	case value == 0:
		return "0"
	case value == math.Trunc(value) && size < 1e7:
		return strconv.FormatFloat(value, 'f', 0, 64)
	case size >= 1e-4 && size < 1e7:
		decimals := max(0, n-1-int(math.Floor(math.Log10(size))))
		return strconv.FormatFloat(value, 'f', decimals, 64)
	}
	return strconv.FormatFloat(value, 'g', n, 64)
}

// number prints a statistic with five digits.
func number(value stats.Number) string {
	if !value.Exists() {
		return absent
	}
	return digits(float64(value), 5)
}

// interval prints a pair of statistics.
func interval(i stats.Interval) string {
	if !i.Exists() {
		return absent
	}
	return "[" + digits(i.Low, 5) + ", " + digits(i.High, 5) + "]"
}

// PValue prints a p-value with four digits.
func PValue(p stats.Number) string {
	switch {
	case !p.Exists():
		return absent
	case p != 0 && p < 1e-4:
		return strconv.FormatFloat(float64(p), 'e', 2, 64)
	}
	return digits(float64(p), 4)
}

// decimals is how many a percentage deserves whose uncertainty is half: two digits of that, one to three decimals.
func decimals(half float64) int {
	if !(half > 0) || math.IsInf(half, 0) {
		return 2
	}
	return min(3, max(1, 1-int(math.Floor(math.Log10(half)))))
}

// fixed prints a percentage with so many decimals and never as -0.
func fixed(value float64, decimals int) string {
	text := strconv.FormatFloat(value, 'f', decimals, 64)
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-")
	}
	return text
}

// share prints a fraction as a percentage.
func share(value stats.Number) string {
	if !value.Exists() {
		return absent
	}
	return fixed(100*float64(value), 2) + " %"
}

// duration prints seconds as people say them.
func duration(seconds float64) string {
	if !(seconds >= 0) || seconds > 1e9 {
		return absent
	}
	if seconds == 0 {
		return "0 s"
	}
	if seconds < 10 {
		return Quantity("_seconds", seconds)
	}
	return time.Duration(seconds * float64(time.Second)).Round(time.Second).String()
}

// moment prints a time in UTC.
func moment(t time.Time) string {
	if t.IsZero() {
		return absent
	}
	return t.UTC().Format("2006-01-02 15:04:05 UTC")
}

// plural counts things.
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// confidence is the 95 of "95 % CI".
func confidence(alpha float64) string { return digits(100*(1-alpha), 5) + " %" }
