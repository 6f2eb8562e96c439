package plan

// A Warning is a caveat that readers must know.
type Warning struct {
	Kind string `json:"kind"` // such as dirty tree, alternating, wall time, control moved, governor
	Text string `json:"text"`
}

// String returns "kind: text".
func (w Warning) String() string { return w.Kind + ": " + w.Text }
