//go:build race

package stats

// raceDetector slows the calibration tenfold, and there is nothing in it to race.
const raceDetector = true
