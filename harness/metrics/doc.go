// Package metrics defines the names of the metrics that the harness knows, and how a metric is read.
//
// A Metric has a name, a direction, a scale, and may be a control. prove_seconds is the prover's own time of a proof,
// wall_seconds the harness's. The names of a stage's times are stage_NAME_seconds (host), device_NAME_seconds (GPU
// events) and host_NAME_seconds (the difference of both, which the harness computes).
package metrics
