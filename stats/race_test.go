//go:build race

package stats

// raceDetector slows the calibration tenfold, and its code has no concurrency to check.
const raceDetector = true
