package command

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// size is a flag's number of bytes, written with a unit: 80GiB, 1.5 GB, 4096.
type size uint64

var units = []struct {
	suffix string
	bytes  float64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1}, {"", 1},
}

// Set parses the flag.
func (s *size) Set(text string) error {
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
		*s = size(bytes)
		return nil
	}
	return fmt.Errorf("%q is no size: want a number of bytes above 0, with a unit such as KiB, MiB, GiB, MB or GB", text)
}

// String returns the size in bytes, empty for none.
func (s *size) String() string {
	if *s == 0 {
		return ""
	}
	return strconv.FormatUint(uint64(*s), 10)
}

// Type returns the name of the value in a command's help.
func (s *size) Type() string { return "SIZE" }
