// Package bytesize parses numbers of bytes with units, such as 8GiB.
package bytesize

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Size is a flag's number of bytes, written with a unit: 80GiB, 1.5 GB, 4096.
type Size uint64

var units = []struct {
	suffix string
	bytes  float64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1}, {"", 1},
}

// Set parses the flag.
func (s *Size) Set(text string) error {
	for _, unit := range units {
		number, ok := strings.CutSuffix(text, unit.suffix)
		if !ok {
			continue
		}
		value, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		bytes := value * unit.bytes
		if err != nil || !(bytes >= 1 && bytes < math.MaxInt64) { // NaN too
			break
		}
		*s = Size(bytes)
		return nil
	}
	return fmt.Errorf("%q is not a size: want a number of bytes above 0, with a unit such as KiB, MiB, GiB, MB or GB",
		text)
}

// String returns the size in bytes, empty for none.
func (s *Size) String() string {
	if *s == 0 {
		return ""
	}
	return strconv.FormatUint(uint64(*s), 10)
}

// Short returns the size with a unit, rounded up to hundredths, as Set takes it.
func (s Size) Short() string {
	for i := 3; i >= 0; i-- {
		if bytes := units[i].bytes; float64(s) >= bytes {
			return strconv.FormatFloat(math.Ceil(100*float64(s)/bytes)/100, 'f', -1, 64) + units[i].suffix
		}
	}
	return strconv.FormatUint(uint64(s), 10)
}

// Type returns the name of the value in a command's help.
func (s *Size) Type() string { return "SIZE" }
