// Package nightly monitors a prover from night to night: is today's revision slower than the last good one, or slower
// than it used to be?
//
// A night has four steps, which keep the two planes of package workflows apart. Prepare chooses the comparisons and
// their sizes from the History and today's head. MeasureNight measures, and repeats comparisons that are unsettled.
// Conclude turns the night into records and the desired state of each workload's issue. Publish applies that state.
//
// # Sources
//
//   - E. S. Page, "Continuous inspection schemes", Biometrika 41 (1954).
//   - D. M. Hawkins, "Self-starting CUSUM charts for location and scale", The Statistician 36 (1987).
//   - D. M. Hawkins and D. H. Olwell, "Cumulative Sum Charts and Charting for Quality Improvement", Springer (1998).
package nightly
