package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/setup"
)

// plan is the predicted cost of a proof, derived from its shape alone.
type plan struct {
	Machine            string            `json:"machine"`
	Size               int               `json:"size"`
	Params             protocol.Params   `json:"params"`
	SecurityBits       int               `json:"security_bits"`
	Tables             []tablePlan       `json:"tables"`
	QuotientBytes      uint64            `json:"quotient_extension_bytes"`
	ExtensionBytes     uint64            `json:"extension_bytes"`
	ProofBytes         int               `json:"predicted_proof_bytes"`
	FoldLogArities     []int             `json:"fold_log_arities"`
	PredictedPeakBytes map[string]uint64 `json:"predicted_peak_bytes"` // by backend
	LeastPeakBytes     map[string]uint64 `json:"least_peak_bytes"`     // the least that suffices, more slowly
	Presets            []presetPlan      `json:"presets,omitempty"`    // empty for shards
}

// shardsPlan is the predicted cost of a run's shards.
type shardsPlan struct {
	Shards []*plan `json:"shards"`
}

type tablePlan struct {
	Name           string         `json:"name"`
	LogHeight      int            `json:"log_height"`
	Columns        map[string]int `json:"columns"` // by phase
	ExtensionBytes uint64         `json:"extension_bytes"`
}

func (p *program) planCommand() *cobra.Command {
	var work *workload
	var backendName string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "plan (--machine NAME (--input FILE | --size N) | --elf PROGRAM.elf)",
		Short: "Predict a proof: tables, size, memory, folds",
		Long: `Predict a proof from its shape: tables with their heights and columns, proof size, memory, folds; and, for
each preset of 128 bits, the proof's size and the prover's work. It needs no device. It runs a RISC-V program without
keeping records; a synthetic private input has seed 0. With --shards it predicts each shard; with --memory, the number
of shards that fit. Without --backend, these shards fit on all backends.`,
		Args: Exactly(),
		RunE: func(*cobra.Command, []string) error {
			if backendName == "auto" {
				return Usagef("--backend auto: a plan opens no backend; want one of %s, or none for all",
					p.backendNames())
			}
			if backendName != "" {
				if _, err := p.named(backendName); err != nil {
					return err
				}
			}
			if err := work.resolve(p.stdin); err != nil {
				return err
			}
			ctx, stop := p.interruptible()
			defer stop()
			var b *Backend // all of them
			if backendName != "" {
				b, _ = p.named(backendName) // it was found above
			}
			if err := p.chooseShards(ctx, work, b, true, asJSON); err != nil {
				return err
			}
			if work.shards.given() {
				return p.planShards(ctx, work, backendName, asJSON)
			}
			planned, err := p.plan(ctx, work, backendName)
			if err != nil {
				return err
			}
			if planned.Presets, err = p.planPresets(ctx, work, planned); err != nil {
				return err
			}
			if err := context.Cause(ctx); err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(p.stdout).Encode(planned)
			}
			if err := p.printPlan(planned, work.program.Machine().Unit); err != nil {
				return err
			}
			if len(planned.Presets) == 0 {
				return nil
			}
			return p.printPresets(planned.Presets)
		},
	}
	work = addStatementFlags(cmd.Flags())
	work.shards.add(cmd.Flags())
	cmd.Flags().StringVar(&backendName, "backend", "", "predict the peak memory on this backend only (default: on all)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func (p *program) plan(ctx context.Context, work *workload, backendName string) (*plan, error) {
	work.pool = parallel.New(0)
	bar := newCycles(p.stderr, false)
	work.progress = bar.add
	_, instances, public, err := work.shape(ctx)
	bar.done()
	if err != nil {
		return nil, err
	}
	size := work.size
	if !work.sized() {
		if size, err = work.program.Size(public, instances); err != nil {
			return nil, err
		}
	}
	key, err := setup.NewKeyOn(ctx, work.pool, work.program.Machine(), work.params)
	if err != nil {
		return nil, err
	}
	report, err := key.Security(instances, public)
	if err != nil {
		return nil, err
	}
	return p.planOf(key, work.program.Fillers(), instances, size, report.Bits(), backendName)
}

// planShards runs the program, and prints the predicted cost of the shards of its run.
func (p *program) planShards(ctx context.Context, work *workload, backendName string, asJSON bool) error {
	work.pool = parallel.New(0)
	r, err := work.planned(ctx, work.shards.cut(nil))
	if err != nil {
		return err
	}
	key, err := setup.NewKeyOn(ctx, work.pool, work.program.Machine(), work.params)
	if err != nil {
		return err
	}
	report, err := key.SecurityOfShards(r.Instances, r.Public())
	if err != nil {
		return err
	}
	var planned shardsPlan
	for _, instances := range r.Instances {
		size, err := work.program.Size(r.Public(), instances)
		if err != nil {
			return err
		}
		one, err := p.planOf(key, work.program.Fillers(), instances, size, report.Bits(), backendName)
		if err != nil {
			return err
		}
		planned.Shards = append(planned.Shards, one)
	}
	if err := context.Cause(ctx); err != nil {
		return err
	}
	if asJSON {
		return json.NewEncoder(p.stdout).Encode(planned)
	}
	return p.printShardsPlan(&planned, work.program.Machine().Unit)
}

func (p *program) printShardsPlan(planned *shardsPlan, unit string) error {
	first := planned.Shards[0]
	fmt.Fprintf(p.stdout, "machine     %s, size %d (%s), in %d shards\nparameters  %s\nsecurity    %d proven bits\n\n",
		first.Machine, first.Size, unit, len(planned.Shards), first.Params, first.SecurityBits)
	out := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(out, "shard\tinstances\textensions\t")
	predicted := p.predicted(first.PredictedPeakBytes)
	for _, name := range predicted {
		fmt.Fprintf(out, "peak on %s\t", name)
	}
	fmt.Fprintln(out)
	for i, s := range planned.Shards {
		fmt.Fprintf(out, "%d\t%d\t%s\t", i, len(s.Tables), bytesText(s.ExtensionBytes))
		for _, name := range predicted {
			fmt.Fprintf(out, "%s\t", bytesText(s.PredictedPeakBytes[name]))
		}
		fmt.Fprintln(out)
	}
	return out.Flush()
}

// planOf returns the predicted cost of a proof with these instances.
func (p *program) planOf(key *protocol.Key, fillers *machine.Fillers, instances []circuit.Instance,
	size, bits int, backendName string) (_ *plan, err error) {
	params, shape := key.Params, key.Shape(instances)
	planned := &plan{
		Machine: key.Machine.Name, Size: size, Params: params, SecurityBits: bits,
		FoldLogArities: shape.Schedule, PredictedPeakBytes: map[string]uint64{},
		LeastPeakBytes: map[string]uint64{},
	}
	const elementBytes = 8
	for i, instance := range instances {
		table := shape.Table(i)
		t := tablePlan{Name: table.Name, LogHeight: instance.LogHeight, Columns: map[string]int{}}
		for phase := range protocol.Quotient {
			width := protocol.Width(table, phase)
			t.Columns[phase.String()] = width
			t.ExtensionBytes += uint64(width) * elementBytes << (instance.LogHeight + params.LogBlowup)
		}
		planned.Tables = append(planned.Tables, t)
		planned.ExtensionBytes += t.ExtensionBytes
	}
	for _, class := range shape.Classes {
		planned.QuotientBytes += protocol.QuotientWidth * elementBytes << (class.LogHeight + params.LogBlowup)
	}
	planned.ExtensionBytes += planned.QuotientBytes
	if planned.ProofBytes, err = key.ProofBytes(instances); err != nil {
		return nil, err
	}
	for _, b := range p.backends {
		if b.Predict == nil || backendName != "" && backendName != b.Name {
			continue
		}
		if planned.PredictedPeakBytes[b.Name], err = b.Predict(fillers, shape); err != nil {
			return nil, fmt.Errorf("%s: %w", b.Name, err)
		}
		if planned.LeastPeakBytes[b.Name], err = b.least(fillers, shape); err != nil {
			return nil, fmt.Errorf("%s: %w", b.Name, err)
		}
	}
	return planned, nil
}

func (p *program) printPlan(planned *plan, unit string) error {
	fmt.Fprintf(p.stdout, "machine     %s, size %d (%s)\nparameters  %s\nsecurity    %d proven bits\n\n",
		planned.Machine, planned.Size, unit, planned.Params, planned.SecurityBits)
	out := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(out, "table\trows\t")
	for phase := range protocol.Quotient {
		fmt.Fprintf(out, "%s\t", phase)
	}
	fmt.Fprint(out, "extensions\t\n")
	for _, t := range planned.Tables {
		fmt.Fprintf(out, "%s\t2^%d\t", t.Name, t.LogHeight)
		for phase := range protocol.Quotient {
			fmt.Fprintf(out, "%d\t", t.Columns[phase.String()])
		}
		fmt.Fprintf(out, "%s\t\n", bytesText(t.ExtensionBytes))
	}
	fmt.Fprintf(out, "quotients\t\t\t\t\t\t%s\t\n", bytesText(planned.QuotientBytes))
	fmt.Fprintf(out, "all\t\t\t\t\t\t%s\t\n", bytesText(planned.ExtensionBytes))
	if err := out.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "\nproof       %s predicted\nfolds       by 2^k, k = %v\n",
		bytesText(uint64(planned.ProofBytes)), planned.FoldLogArities)
	for _, b := range p.backends {
		if peak, ok := planned.PredictedPeakBytes[b.Name]; ok {
			fmt.Fprintf(p.stdout, "peak        %s predicted on %s\n", bytesText(peak), b.Name)
			if least := planned.LeastPeakBytes[b.Name]; least < peak {
				fmt.Fprintf(p.stdout, "            %s if there is no more: extensions are then computed again, which is "+
					"slower\n", bytesText(least))
			}
		}
	}
	return nil
}
