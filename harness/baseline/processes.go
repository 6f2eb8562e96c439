package baseline

import (
	"math"

	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/stats"
)

// ProcessMeans returns, for each process, the mean of the logarithm of a metric over its proofs, and the mean of the
// metric over all proofs.
func ProcessMeans(samples []evidence.Sample, metric string) (means []float64, level float64) {
	values, order := map[int][]float64{}, []int{}
	for _, s := range samples {
		if values[s.Attempt] == nil {
			order = append(order, s.Attempt)
		}
		values[s.Attempt] = append(values[s.Attempt], math.Log(s.Metrics[metric]))
		level += s.Metrics[metric] / float64(len(samples))
	}
	for _, process := range order {
		means = append(means, stats.Mean(values[process]).Float())
	}
	return means, level
}

// DeferredIn returns the mean CPU time that a session takes between a reply and its next request, in seconds.
func DeferredIn(samples []evidence.Sample) float64 {
	var list []float64
	for _, s := range samples {
		list = append(list, s.WaitedCPUSeconds)
	}
	return stats.Mean(list).Float()
}

// GPUClock returns the mean clock of the GPUs over proofs in MHz, 0 if unknown.
func GPUClock(samples []evidence.Sample) float64 {
	var list []float64
	for _, s := range samples {
		if mhz, ok := s.Metrics["gpu_clock_sm_mhz"]; ok {
			list = append(list, mhz)
		}
	}
	if len(list) == 0 {
		return 0
	}
	return stats.Mean(list).Float()
}
