package fri

import "slices"

// Schedule returns the log arities of the folds from the largest log size down to the final one, which is the smaller
// of logFinal and the smallest log size. Every fold is as large as possible: at most logArity, and not past a size at
// which a codeword joins. The result may be empty.
func Schedule(logSizes []int, logArity, logFinal int) []int {
	if len(logSizes) == 0 {
		return nil
	}
	final := min(logFinal, slices.Min(logSizes))
	var schedule []int
	for size := slices.Max(logSizes); size > final; {
		stop := final // or the largest size below, at which a codeword joins
		for _, joins := range logSizes {
			if joins < size {
				stop = max(stop, joins)
			}
		}
		fold := min(logArity, size-stop)
		schedule = append(schedule, fold)
		size -= fold
	}
	return schedule
}
