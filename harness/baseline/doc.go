// Package baseline stores measurements of base, so that a later run can first compare head alone with them.
//
// # Vocabulary
//
//   - A Baseline is what one run measured of one build on one workload and one host: the mean of each process, the
//     claim and the quantities that repeat exactly. A digest reveals later changes.
//   - The baseline pre-check (plan.precheck: 1) measures head alone against a baseline. It decides a workload only if
//     the answer is clear; otherwise pairs decide. A PreCheck describes its outcome.
//   - Moves are the shifts of the host's level between baselines at least as far apart in time as the baseline and now.
//
// # What it never does
//
// It never decides whether a folder of baselines is trusted: package measure does. It never accepts a baseline that was
// changed after it was written, or that was measured with another harness, bench.yaml, toolchain, input or host.
package baseline
