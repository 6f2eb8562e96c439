package harness

// An Observer watches the host during a proof for what lies outside the measured process.
type Observer interface {
	// Begin starts watching; pids returns the processes of the prover, whose own doings are never a cause.
	Begin(pids func() []int)
	// End stops watching.
	End() Observation
}

// An Observation is what an Observer saw during one proof.
type Observation struct {
	Causes []Cause
	// Readings become metrics of the sample, such as energy_joules.
	Readings map[string]float64
	Warnings []string
}
