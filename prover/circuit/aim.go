package circuit

// Aim is the quantity that a plan of instances minimizes. Only the machine rv64im supports aims other than FewCells.
type Aim uint8

// The aims.
const (
	FewCells      Aim = iota // the prover's work
	SmallProof               // the proof: one instance of a table where its rows fit, and few heights
	Aggregated               // the cells of the proof and of another proof that verifies it
	SmallestProof            // the proof, with even fewer heights, for up to 25 % more work
)
