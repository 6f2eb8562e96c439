package cli

import (
	"context"
	"fmt"
	"text/tabwriter"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/protocol/soundness"
)

// presetPlan is the plan of the same statement with another preset. It shows the cost of a smaller proof.
type presetPlan struct {
	Preset         string  `json:"preset"`
	Hash           string  `json:"hash"`
	SecurityBits   int     `json:"security_bits"`
	ProofBytes     int     `json:"predicted_proof_bytes"`
	ExtensionBytes uint64  `json:"extension_bytes"`
	Work           float64 `json:"relative_work"` // extensions, relative to the planned proof

	PredictedPeakBytes map[string]uint64 `json:"predicted_peak_bytes"` // by backend
	LeastPeakBytes     map[string]uint64 `json:"least_peak_bytes"`     // the least that suffices, more slowly
}

// planPresets plans the presets that prove as many bits as the hash does. It omits presets that cannot prove the
// statement, such as those that need more rows. Time grows with the extensions, but less than proportionally.
func (p *program) planPresets(ctx context.Context, work *workload, planned *plan) ([]presetPlan, error) {
	var list []presetPlan
	known := map[circuit.Aim][]circuit.Instance{}
	for _, preset := range protocol.Presets() {
		if preset.Bits < soundness.HashBits {
			continue
		}
		preset, err := withHash(work.set, preset)
		if err != nil {
			return nil, err
		}
		own := *work
		own.params, own.aim, own.notes, own.progress = preset.Params, preset.Aim, nil, nil
		instances, public := known[preset.Aim], circuit.Public{}
		if instances == nil {
			if _, instances, public, err = own.shape(ctx); err != nil {
				if ctx.Err() != nil {
					return nil, err
				}
				continue
			}
			known[preset.Aim] = instances
		}
		one, err := presetPlanOf(preset, own.program.Machine(), instances, public)
		if err != nil {
			continue
		}
		one.Work = float64(one.ExtensionBytes) / float64(planned.ExtensionBytes)
		shape := protocol.NewShape(own.program.Machine(), own.params.Layout(), instances)
		if err := p.predictPeaks(one, planned, own.program.Fillers(), shape); err != nil {
			return nil, err
		}
		list = append(list, *one)
	}
	return list, nil
}

// predictPeaks predicts the memory of a proof on the backends for which the plan has a prediction.
func (p *program) predictPeaks(one *presetPlan, planned *plan, fillers *machine.Fillers, shape *protocol.Shape) error {
	one.PredictedPeakBytes, one.LeastPeakBytes = map[string]uint64{}, map[string]uint64{}
	for i := range p.backends {
		b := &p.backends[i]
		if _, ok := planned.PredictedPeakBytes[b.Name]; !ok {
			continue
		}
		peak, err := b.Predict(fillers, shape)
		if err != nil {
			return err
		}
		least, err := b.least(fillers, shape)
		if err != nil {
			return err
		}
		one.PredictedPeakBytes[b.Name], one.LeastPeakBytes[b.Name] = peak, least
	}
	return nil
}

func presetPlanOf(preset protocol.Preset, m *circuit.Machine, instances []circuit.Instance,
	public circuit.Public) (*presetPlan, error) {
	key := &protocol.Key{Machine: m, Params: preset.Params}
	one := &presetPlan{Preset: preset.Name, Hash: preset.Params.Hash.String()}
	report, err := key.Security(instances, public)
	if err != nil {
		return nil, err
	}
	one.SecurityBits = report.Bits()
	if one.ProofBytes, err = key.ProofBytes(instances); err != nil {
		return nil, err
	}
	shape := key.Shape(instances)
	for phase := range protocol.Phase(protocol.PhaseCount) {
		for _, matrix := range shape.Matrices(phase) {
			one.ExtensionBytes += uint64(matrix.Width) * 8 << (matrix.LogHeight + preset.Params.LogBlowup)
		}
	}
	return one, nil
}

func (p *program) printPresets(list []presetPlan) error {
	fmt.Fprint(p.stdout, "\nThe same with other --params; time grows less than the extensions:\n\n")
	out := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(out, "params\thash\tbits\tproof\textensions\twork\t")
	predicted := p.predicted(list[0].PredictedPeakBytes)
	for _, name := range predicted {
		fmt.Fprintf(out, "peak on %s\t", name)
	}
	fmt.Fprintln(out)
	for _, one := range list {
		fmt.Fprintf(out, "%s\t%s\t%d\t%s\t%s\t%.2f\t", one.Preset, one.Hash, one.SecurityBits,
			bytesText(uint64(one.ProofBytes)), bytesText(one.ExtensionBytes), one.Work)
		for _, name := range predicted {
			fmt.Fprintf(out, "%s\t", bytesText(one.PredictedPeakBytes[name]))
		}
		fmt.Fprintln(out)
	}
	return out.Flush()
}

// predicted lists the backends that have a predicted peak, in the binary's order.
func (p *program) predicted(peaks map[string]uint64) []string {
	var names []string
	for _, b := range p.backends {
		if _, ok := peaks[b.Name]; ok {
			names = append(names, b.Name)
		}
	}
	return names
}
