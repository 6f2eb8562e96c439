package air

import "testing"

func TestLowConstraints(t *testing.T) {
	b := NewTable("low")
	x, y, z := b.Main("x"), b.Main("y"), b.Main("z")
	transition := b.Transition()
	cases := []struct {
		name string
		root Expr
		low  bool // by hand: the polynomial's degree is at most 2n - 1
	}{
		{"x", x.Add(b.Constant(1)), true},
		{"x y", x.Mul(y), true},
		{"x y z", x.Mul(y).Mul(z), false},
		{"first x", b.First().Mul(x), true},
		{"last x y", b.Last().Mul(x).Mul(y), false},
		{"transition x y", transition.Mul(x.Mul(y)), true},
		{"transition next x + x y", transition.Mul(y.Next()).Add(x.Mul(z)), true},
		{"transition^2 x y", transition.Mul(transition).Mul(x.Mul(y)), false},
		{"transition^2 x", transition.Mul(transition).Mul(x), true},
	}
	for _, tc := range cases {
		b.AssertZero(tc.name, tc.root)
	}
	table, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	for i, constraint := range table.Constraints {
		if low := constraint.IsLow(); low != cases[i].low {
			t.Errorf("%s: low is %t, want %t", cases[i].name, low, cases[i].low)
		}
	}
}
