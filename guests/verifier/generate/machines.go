package generate

import (
	"context"
	"fmt"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/setup"
)

// Of derives a machine's key and fixed caps under protocol 3. It uses pinned caps, and computes others.
func Of(ctx context.Context, m *circuit.Machine) (Machine, error) {
	preset, err := protocol.PresetByName("small")
	if err != nil {
		return Machine{}, err
	}
	out := Machine{Machine: m}
	var caps [][]merkle.Digest
	for _, params := range preset.Params.KeyParams() {
		nodes, ok := protocol.PinnedCap(m, params)
		if !ok {
			key, err := setup.NewKeyOn(ctx, parallel.New(0), m, params)
			if err != nil {
				return out, fmt.Errorf("machine %s, blowup %d: %w", m.Name, 1<<params.LogBlowup, err)
			}
			nodes = key.FixedCap
		}
		caps = append(caps, nodes)
	}
	key, err := protocol.NewMachineKey(m, preset.Params, caps[preset.Params.LogBlowup-1], caps)
	if err != nil {
		return out, err
	}
	out.Key = key.Digest
	if len(caps[0]) > 0 {
		out.Caps = caps
	}
	return out, nil
}
