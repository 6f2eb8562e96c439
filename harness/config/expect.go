package config

import "strconv"

// An Expectation is an assertion on one number.
type Expectation struct {
	Operator string // ==, !=, <, <=, > or >=
	Value    float64
}

// Holds reports whether x is as expected.
func (e Expectation) Holds(x float64) bool {
	switch e.Operator {
	case "==":
		return x == e.Value
	case "!=":
		return x != e.Value
	case "<":
		return x < e.Value
	case "<=":
		return x <= e.Value
	case ">":
		return x > e.Value
	case ">=":
		return x >= e.Value
	}
	return false
}

// String returns the expectation as it is written, such as "== 0".
func (e Expectation) String() string {
	return e.Operator + " " + strconv.FormatFloat(e.Value, 'g', -1, 64)
}
