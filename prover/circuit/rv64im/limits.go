package rv64im

import "github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"

// MaxCycles is the longest run that can be proven: times stay below 2^30.
const MaxCycles = statement.MaxCycles

// OutputTime is the time at which the verifier takes the words of the public output.
const OutputTime = statement.OutputTime

// MaxBoundaryGap is the largest distance between two words that follow each other in the boundary.
const MaxBoundaryGap = 1 << 20
