package cli

import (
	"testing"

	"github.com/chiasmus/chiasmus/prover/protocol"
)

// Proofs of programs have 128 bits at every length with the presets made for programs, and with the default preset
// while no table is taller than 2^22 rows.
func TestBitsOfPrograms(t *testing.T) {
	for _, log := range []int{4, 12, 20, 24, 25, 26, 27} {
		a := analyzed{cycles: 1 << log}
		shape, err := a.ofMix()
		if err != nil {
			t.Fatal(err)
		}
		analyses, err := analyzePresets(protocol.Presets(), shape)
		if err != nil {
			t.Fatal(err)
		}
		for _, got := range analyses {
			tallest := 0
			for _, i := range got.Instances {
				tallest = max(tallest, i.LogHeight)
			}
			switch got.Preset {
			case "rv", "shard", "default-4":
				if got.Bits != 128 {
					t.Errorf("%s: %d bits at 2^%d cycles", got.Preset, got.Bits, log)
				}
			case "default":
				if (got.Bits == 128) != (tallest <= 22) && tallest != 23 {
					t.Errorf("default: %d bits at 2^%d cycles, 2^%d rows", got.Bits, log, tallest)
				}
			}
			if log == 27 && (tallest != 24 || len(got.Instances) < 100) {
				t.Errorf("2^27 cycles have %d instances of at most 2^%d rows", len(got.Instances), tallest)
			}
		}
	}
}
