package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"text/tabwriter"

	"github.com/chiasmus/chiasmus/internal/plural"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instances"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	riscv "github.com/chiasmus/chiasmus/prover/machine/riscv/program"
)

// guestReport describes a run and the predicted cost of its proof.
type guestReport struct {
	Image         string            `json:"image"` // SHA-256 of the loaded image
	Exit          uint64            `json:"exit"`
	Cycles        uint64            `json:"cycles"`
	Misaligned    uint64            `json:"misaligned_accesses"`
	OutputBytes   int               `json:"output_bytes"`
	OutputSHA256  string            `json:"output_sha256"`
	Instructions  map[string]uint64 `json:"instructions"` // by class
	Rows          map[string]int    `json:"rows"`         // by table
	Instances     int               `json:"instances"`    // these are 0 if no proof can hold the run
	Cells         uint64            `json:"cells"`
	CellsPerCycle float64           `json:"cells_per_cycle"`
	MemoryBytes   uint64            `json:"memory_bytes"`
	OnlyInShards  string            `json:"only_in_shards,omitempty"` // why no proof can hold the run

	output []byte
	plan   instances.Plan
	rows   [table.Count]int
}

// cellBytes is the memory of a committed cell in a proof with blowup 2.
const cellBytes = 16

// newGuestReport describes a run with these rows of each table.
func newGuestReport(guest *riscv.Program, result *emulator.Result, rows [table.Count]int) *guestReport {
	r := &guestReport{
		Exit:         result.Exit,
		Cycles:       result.Cycles,
		Misaligned:   result.Misaligned,
		output:       result.Output,
		OutputBytes:  len(result.Output),
		Instructions: map[string]uint64{},
		Rows:         map[string]int{},
		rows:         rows,
	}
	image, digest := guest.File.ImageDigest(), sha256.Sum256(result.Output)
	r.Image, r.OutputSHA256 = hex.EncodeToString(image[:]), hex.EncodeToString(digest[:])
	for i, n := range result.Executed {
		if n > 0 {
			r.Instructions[guest.Code[i].Op.Class().String()] += n
		}
	}
	for t, n := range r.rows {
		if n > 0 {
			r.Rows[table.Table(t).String()] = n
		}
	}
	r.predict()
	return r
}

// predict adds the predicted cost of a proof of the whole run. Tables have a maximum height, so a long run may have no
// such proof.
func (r *guestReport) predict() {
	var err error
	if r.plan, err = instances.Choose(r.rows); err != nil {
		r.OnlyInShards = err.Error()
		return
	}
	r.Instances, r.Cells = r.plan.Instances()+len(table.Fixed), r.plan.Cells()
	r.CellsPerCycle = float64(r.Cells) / float64(r.Cycles)
	r.MemoryBytes = cellBytes * r.Cells
}

// maxOutputShown is the largest length, in bytes, of a public output that is printed.
const maxOutputShown = 64

// outputText formats the public output.
func (r *guestReport) outputText() string {
	switch {
	case len(r.output) == 0:
		return "none"
	case len(r.output) > maxOutputShown:
		return fmt.Sprintf("%d bytes: SHA-256 %s", len(r.output), r.OutputSHA256)
	}
	return fmt.Sprintf("%s: %x", plural.Of(len(r.output), "byte"), r.output)
}

func (p *program) printGuest(run *guestRun, r *guestReport) error {
	if run.json {
		return json.NewEncoder(p.stdout).Encode(r)
	}
	fmt.Fprintf(p.stdout, "image       %s\nexit code   %d\noutput      %s\ncycles      %d\nmisaligned  %s\n\n",
		r.Image, r.Exit, r.outputText(), r.Cycles, plural.Of(r.Misaligned, "access"))
	out := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(out, "instructions\tnumber\tshare\t\n")
	for c := range instruction.Class(instruction.ClassCount) {
		if n := r.Instructions[c.String()]; n > 0 {
			fmt.Fprintf(out, "%s\t%d\t%.1f %%\t\n", c, n, 100*float64(n)/float64(r.Cycles))
		}
	}
	fmt.Fprint(out, "\t\t\t\n")
	fmt.Fprint(out, "table\trows\tcells a row\tcells a cycle\theights\t\n")
	order := make([]table.Table, 0, table.Count)
	for t := range table.Table(table.Count) {
		if r.rows[t] > 0 {
			order = append(order, t)
		}
	}
	slices.SortStableFunc(order, func(a, b table.Table) int { return r.cells(b) - r.cells(a) })
	for _, t := range order {
		fmt.Fprintf(out, "%s\t%d\t%d\t%.2f\t%v\t\n", t, r.rows[t], table.Cells(t), float64(r.cells(t))/float64(r.Cycles),
			r.plan[t])
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if r.OnlyInShards != "" {
		_, err := fmt.Fprintf(p.stdout, "\na proof     only in shards, with --shards or --memory: %s\n", r.OnlyInShards)
		return err
	}
	fmt.Fprintf(p.stdout, "\na proof     %d instances, %d cells with padding, lookup tables and quotients (%.1f a "+
		"cycle)\nmemory      about %s at blowup 2\n",
		r.Instances, r.Cells, r.CellsPerCycle, bytesText(r.MemoryBytes))
	return nil
}

// cells returns the number of cells of a table's rows, without padding.
func (r *guestReport) cells(t table.Table) int { return r.rows[t] * table.Cells(t) }
