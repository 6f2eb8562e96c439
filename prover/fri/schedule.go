package fri

import "slices"

// Schedule returns the log arities of the folds from the largest log size down to the final one, which is the smaller
// of logFinal and the smallest log size. Every fold is as large as possible: at most logArity, and not past a size at
// which a codeword joins. The result may be empty.
func Schedule(logSizes []int, logArity, logFinal int) []int {
	if len(logSizes) == 0 {
		return nil
	}
	stops := append(slices.Clone(logSizes), min(logFinal, slices.Min(logSizes)))
	slices.Sort(stops)
	stops = slices.Compact(stops)
	slices.Reverse(stops)

	var schedule []int
	size := stops[0]
	for _, stop := range stops[1:] {
		for size > stop {
			fold := min(logArity, size-stop)
			schedule = append(schedule, fold)
			size -= fold
		}
	}
	return schedule
}
