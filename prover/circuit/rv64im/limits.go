package rv64im

import "github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"

// MaxCycles is the longest run that can be proven: times stay below 2^34.
const MaxCycles = statement.MaxCycles

// OutputTime is the time at which the verifier receives the words of the public output.
const OutputTime = statement.OutputTime

// LogGap is the logarithm of the weight of the second digit of the time between two accesses to a word. Digits are
// below 2^20, so the time may be up to 2^34 slots.
const LogGap = 14

// MaxBoundaryGap is the maximum distance between two adjacent words of the boundary.
const MaxBoundaryGap = 1 << 20
