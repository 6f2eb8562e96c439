package bisect

import (
	"fmt"
	"math"
)

// Recompute checks decisions from another source, each against its own difference, error, threshold and pairs, and
// returns the overall confidence.
func Recompute(decisions []Entry) (float64, error) {
	whole := 1.0
	for i, entry := range decisions {
		switch {
		case entry.Schema != LogSchema:
			return 0, fmt.Errorf("decision %d has schema %q, this harness reads %s", i+1, entry.Schema, LogSchema)
		case entry.Kind != KindEnds && entry.Kind != KindStep && entry.Kind != KindConfirm:
			return 0, fmt.Errorf("decision %d has an unknown kind", i+1)
		case entry.Skipped != "":
			continue
		case entry.Pairs < 2 || entry.Error < 0 || entry.Units == 1 || entry.Units < 0 || entry.Units > entry.Pairs:
			return 0, fmt.Errorf("decision %d has %d pairs in %d units and an error of %g: nothing follows from that", i+1,
				entry.Pairs, entry.Units, entry.Error)
		}
		isBad, confidence := entry.decision()
		if isBad != entry.IsBad || math.Abs(confidence-entry.Confidence) > 1e-9 {
			return 0, fmt.Errorf("decision %d does not follow from its figures", i+1)
		}
		whole *= entry.Confidence
	}
	return whole, nil
}
