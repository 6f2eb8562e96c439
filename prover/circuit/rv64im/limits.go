package rv64im

import "github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"

// MaxCycles is the longest run that can be proven: times stay below 2^34.
const MaxCycles = statement.MaxCycles

// OutputTime is the time at which the verifier takes the words of the public output.
const OutputTime = statement.OutputTime

// LogGap is the power of two of the second digit of the time between two accesses to a word, whose digits are below
// 2^20. So a word may rest for 2^34 slots.
const LogGap = 14

// MaxBoundaryGap is the largest distance between two words that follow each other in the boundary.
const MaxBoundaryGap = 1 << 20
