// Package plural formats counts of things in English: 1 worker, 2 workers.
package plural

import (
	"fmt"
	"strings"
)

// Of formats a number and the noun that it counts. The noun is given in the singular, and its plural must be regular:
// "proof", "access".
func Of[N ~int | ~int64 | ~uint64](n N, noun string) string {
	ending := "s"
	switch {
	case n == 1:
		ending = ""
	case strings.HasSuffix(noun, "s"):
		ending = "es"
	}
	return fmt.Sprint(n, " ", noun+ending)
}
