// Package adapter reads the results of benchmark suites that exist: go test -bench, Criterion, pytest-benchmark and
// hyperfine. One process of a suite gives one figure for each of its benchmarks, the estimate that the tool itself
// reports; the harness compares the figures of interleaved processes, and so needs no statistics of the tool.
//
//	tool               where the results are                          its estimate (op_seconds)
//	go-bench           standard output                                ns/op, the mean over -count
//	cargo-criterion    CRITERION_HOME, or bencher text, or messages   the slope, or the mean
//	pytest-benchmark   --benchmark-json FILE                          the median
//	hyperfine          --export-json FILE                             the mean
//
// Names of metrics carry their units, as everywhere in the harness: op_seconds is the time of one operation, op_bytes
// and op_allocations what it allocates.
//
// What is read was written by a measured program. The parsers bound what they take, never panic, and name the file and
// the line of what they refuse.
package adapter
