package stats

// UnitT is the t-test of [Analyze] alone: over the sampling units that [UnitOf] finds in the pairs. With B constant,
// its interval is that of the mean of A.
func UnitT(pairs []Pair, scale Scale, alpha float64) (TTest, error) {
	d, err := Differences(pairs, scale)
	if err != nil {
		return TTest{}, err
	}
	return PairedT(unitDifferences(d, pairs, UnitOf(pairs, alpha)), alpha), nil
}
