package stats

// UnitT is only the t test of [Analyze], over the units of [UnitOf]. If all B are equal, its interval is that of the
// mean of A.
func UnitT(pairs []Pair, scale Scale, alpha float64) (TTest, error) {
	d, err := Differences(pairs, scale)
	if err != nil {
		return TTest{}, err
	}
	return PairedT(unitDifferences(d, pairs, UnitOf(pairs, alpha)), alpha), nil
}
