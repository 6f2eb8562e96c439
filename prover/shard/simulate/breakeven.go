package simulate

// LeastShard returns the least number of cycles per shard at which n devices with one even shard each need at most the
// given fraction of the time of n/2 devices; with a fraction of 1, they are not slower. It is 0 if no shard of up to
// most cycles suffices.
func LeastShard(times Times, fleet Fleet, part, most float64) (float64, error) {
	half := fleet
	half.Devices = max(1, fleet.Devices/2)
	fleet.Parts, half.Parts = nil, nil
	fleet.Shards, half.Shards = fleet.Devices, half.Devices
	pays := func(shard float64) (bool, error) {
		cycles := shard * float64(fleet.Devices)
		all, err := Prove(times, fleet, cycles)
		if err != nil {
			return false, err
		}
		fewer, err := Prove(times, half, cycles)
		return all.Total <= part*fewer.Total, err
	}
	if enough, err := pays(most); err != nil || !enough {
		return 0, err
	}
	low, high := 1.0, most
	for high/low > 1.001 {
		middle := (low + high) / 2
		if low*4 < high {
			middle = low * 2
		}
		if enough, err := pays(middle); err != nil {
			return 0, err
		} else if enough {
			high = middle
		} else {
			low = middle
		}
	}
	return high, nil
}
