package circuit

// TableSummary describes a table's size, for `prover machines --verbose`.
type TableSummary struct {
	Name                string
	MainColumns         int
	PreprocessedColumns int
	AuxiliaryColumns    int // base columns that LogUp adds
	NextColumns         int // columns opened at the next row too
	Constraints         int
	Interactions        int
	Degree              int // highest degree of a constraint
	MinLogHeight        int
	MaxLogHeight        int
	MinInstances        int
	MaxInstances        int
}

// Summary describes every table, in order.
func (m *Machine) Summary() []TableSummary {
	list := make([]TableSummary, len(m.Tables))
	for i, t := range m.Tables {
		list[i] = TableSummary{
			Name:                t.Name,
			MainColumns:         len(t.Main),
			PreprocessedColumns: len(t.Preprocessed),
			AuxiliaryColumns:    t.AuxiliaryColumns(),
			NextColumns:         len(t.NextMain) + len(t.NextPreprocessed),
			Constraints:         len(t.Constraints),
			Interactions:        len(t.Interactions),
			Degree:              t.MaxConstraintDegree(),
			MinLogHeight:        t.MinLogHeight,
			MaxLogHeight:        t.MaxLogHeight,
			MinInstances:        t.MinInstances,
			MaxInstances:        t.MaxInstances,
		}
		for b := range t.Batches {
			list[i].Degree = max(list[i].Degree, t.BatchDegree(b))
		}
	}
	return list
}
