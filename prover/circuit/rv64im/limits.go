package rv64im

// MaxCycles is the longest run that can be proven: times stay below 2^30.
const MaxCycles = 1<<28 - 1

// OutputTime is the time at which the verifier takes the words of the public output.
const OutputTime = 1 << 31

// MaxBoundaryGap is the largest distance between two words that follow each other in the boundary.
const MaxBoundaryGap = 1 << 20
