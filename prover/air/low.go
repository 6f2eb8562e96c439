package air

// IsLow reports whether a constraint's share of the quotient by Z = x^n - 1 has
// degree below n, so that n points fix it and not 2n: its polynomial's degree
// must be at most 2n - 1.
//
// Columns have degree n - 1 and so have First and Last, which count one degree
// each: d degrees are d(n-1). Transition counts none but adds one power of x
// for each factor. With t of them d(n-1) + t <= 2n - 1 holds for d = 2 and
// t <= 1, and, as tables have two rows at least, for d <= 1 and t <= 2.
func IsLow(degree, transitions int) bool {
	return degree == 2 && transitions <= 1 || degree <= 1 && transitions <= 2
}

// IsLow reports whether the constraint is low; see [IsLow].
func (c *Constraint) IsLow() bool { return IsLow(c.Degree, c.Transitions) }
