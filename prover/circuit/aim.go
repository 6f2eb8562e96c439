package circuit

// Aim is what a plan of instances minimizes. Only the machine of programs can plan for more than one.
type Aim uint8

// The aims.
const (
	FewCells      Aim = iota // the prover's work
	SmallProof               // the proof: one instance of a table where its rows fit, and few heights
	Aggregated               // the cells of the proof and of another proof that verifies it
	SmallestProof            // the proof, with even fewer heights, whatever that adds to the work up to a quarter
)
