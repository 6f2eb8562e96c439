// Package adapter reads the results of existing benchmark suites: go test -bench, Criterion, pytest-benchmark and
// hyperfine. One process of a suite yields one figure per benchmark: the estimate that the tool reports. The harness
// compares the figures of interleaved processes, so it does not need the tool's own statistics.
//
//	tool               where the results are                          its estimate (op_seconds)
//	go-bench           standard output                                ns/op, the mean over -count
//	cargo-criterion    CRITERION_HOME, or bencher text, or messages   the slope, or the mean
//	pytest-benchmark   --benchmark-json FILE                          the median
//	hyperfine          --export-json FILE                             the mean
//
// Metric names carry their units, as everywhere in the harness: op_seconds is the time of one operation, op_bytes and
// op_allocations are its allocations.
//
// The input was written by a measured program, so it is not trusted. The parsers limit what they accept, never panic,
// and name the file and line of what they reject.
package adapter
