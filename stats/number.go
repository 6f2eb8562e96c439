package stats

import (
	"encoding/json"
	"fmt"
	"math"
)

// Number is a float64 that may not exist. A missing Number is NaN in memory and null in JSON. An infinity, which JSON
// cannot represent, is also written as null.
type Number float64

// missing is the Number that does not exist.
var missing = Number(math.NaN())

// Exists reports whether n is a finite number.
func (n Number) Exists() bool { return !math.IsNaN(float64(n)) && !math.IsInf(float64(n), 0) }

// Float returns n as a float64, or NaN if it does not exist.
func (n Number) Float() float64 { return float64(n) }

// Equal reports whether n and m are equal, or both do not exist.
func (n Number) Equal(m Number) bool { return n == m || !n.Exists() && !m.Exists() }

// MarshalJSON writes the shortest decimal that reads back as n, or null.
func (n Number) MarshalJSON() ([]byte, error) {
	if !n.Exists() {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// UnmarshalJSON reads a number or null.
func (n *Number) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*n = missing
		return nil
	}
	var f float64
	if err := json.Unmarshal(text, &f); err != nil {
		return err
	}
	*n = Number(f)
	return nil
}

// Interval is a closed interval [low, high]. A missing Interval has NaN ends and is null in JSON.
type Interval struct{ Low, High float64 }

// noInterval is the Interval that does not exist.
var noInterval = Interval{math.NaN(), math.NaN()}

// Exists reports whether both ends are finite.
func (i Interval) Exists() bool { return Number(i.Low).Exists() && Number(i.High).Exists() }

// Equal reports whether i and j are equal, or both do not exist.
func (i Interval) Equal(j Interval) bool { return i == j || !i.Exists() && !j.Exists() }

// MarshalJSON writes [low, high] or null.
func (i Interval) MarshalJSON() ([]byte, error) {
	if !i.Exists() {
		return []byte("null"), nil
	}
	return json.Marshal([2]float64{i.Low, i.High})
}

// UnmarshalJSON reads [low, high] or null.
func (i *Interval) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*i = noInterval
		return nil
	}
	var ends []float64
	if err := json.Unmarshal(text, &ends); err != nil {
		return err
	}
	if len(ends) != 2 {
		return fmt.Errorf("an interval has 2 ends, this one %d", len(ends))
	}
	*i = Interval{ends[0], ends[1]}
	return nil
}
