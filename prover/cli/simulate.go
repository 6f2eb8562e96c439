package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/chiasmus/chiasmus/prover/shard/simulate"
)

// maxTimesBytes bounds a file of times.
const maxTimesBytes = 1 << 16

// simulateFlags are the flags of simulate.
type simulateFlags struct {
	cycles, perHost, perDevice, most int
	devices                          []int
	like, times, replay              string
	overlap, uneven, asJSON          bool
}

// The values of --replay.
const (
	fromBegin = "begin"
	carried   = "carried"
)

// simulated is one line of simulate.
type simulated struct {
	Devices int     `json:"devices"`
	Hosts   int     `json:"hosts"`
	Shards  int     `json:"shards"`
	SpeedUp float64 `json:"speed_up"` // relative to the first line
	// LeastShard is the least number of cycles per shard with which this number of devices takes no longer than half the
	// number; 0 for none.
	LeastShard float64 `json:"least_shard_cycles"`
	simulate.Outcome
}

func (p *program) simulateCommand() *cobra.Command {
	var f simulateFlags
	cmd := &cobra.Command{
		Use:   "simulate --cycles N",
		Short: "Predict the time of a proof in shards on many devices",
		Long: `Predict how long a proof in shards takes on many devices, and where the time goes, by simulation from measured
times. It needs no device. --like selects the times of a guest measured on H200s; --times names a JSON file that
overrides some of these keys: run_cycles_per_second, cut_cycles_per_second, run_parts, ahead_cycles_per_second,
run_on_every_host, overlap, phase_seconds and phase_seconds_per_cycle (of the two phases of a shard),
replay_seconds_per_cycle, replay_carried, resident_shards, network_bytes_per_second, network_latency_seconds,
record_bytes_per_cycle, proof_bytes_per_shard, verify_seconds_per_shard, verify_cores, write_seconds_per_byte.
docs/lab/simulated.md explains them and compares predictions with measurements.`,
		Args: Exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check(); err != nil {
				return err
			}
			times, err := f.read(cmd.Flags())
			if err != nil {
				return err
			}
			lines, err := f.lines(times)
			if err != nil {
				return Usagef("%w", err)
			}
			if f.asJSON {
				return json.NewEncoder(p.stdout).Encode(lines)
			}
			return p.printSimulated(lines, times)
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&f.cycles, "cycles", 0, "cycles of the run")
	flags.IntSliceVar(&f.devices, "gpus", []int{1, 2, 4, 8, 16, 32, 64}, "numbers of devices to predict, one line each")
	flags.IntVar(&f.perHost, "per-host", 8, "devices of each host; the first host is also the coordinator")
	flags.IntVar(&f.perDevice, "shards-per-gpu", 1, "number of shards that each device proves")
	flags.IntVar(&f.most, "shard-cycles", 1<<26, "maximum cycles of a shard; longer runs are cut into more shards")
	flags.StringVar(&f.like, "like", "sha256",
		"times of the measured guest `NAME`: "+strings.Join(slices.Sorted(maps.Keys(simulate.Measured)), ", "))
	flags.StringVar(&f.times, "times", "", "JSON `FILE` with times that override those of --like")
	flags.BoolVar(&f.overlap, "overlap", false,
		"begin shards while the program still runs (default: the times' key overlap)")
	flags.StringVar(&f.replay, "replay", "",
		"`WHERE` a device starts its replay for the next shard: begin (at the run's begin) or carried (at the end of its "+
			"last shard) (default: the times' key replay_carried)")
	flags.BoolVar(&f.uneven, "uneven", false,
		"cut the run into shards of the sizes that minimize the time on one host's devices, as --shard-parts timed does; "+
			"no shard exceeds --shard-cycles")
	flags.BoolVar(&f.asJSON, "json", false, "print one JSON array")
	return cmd
}

// check rejects numbers below 1.
func (f *simulateFlags) check() error {
	type number struct {
		flag  string
		value int
	}
	numbers := []number{
		{"cycles", f.cycles}, {"per-host", f.perHost}, {"shards-per-gpu", f.perDevice}, {"shard-cycles", f.most},
	}
	for _, devices := range f.devices {
		numbers = append(numbers, number{"gpus", devices})
	}
	for _, n := range numbers {
		if n.value < 1 {
			return Usagef("--%s is %d, want at least 1", n.flag, n.value)
		}
	}
	return nil
}

// read collects the times.
func (f *simulateFlags) read(set *pflag.FlagSet) (simulate.Times, error) {
	times, known := simulate.Measured[f.like]
	if !known {
		return times, Usagef("--like %s: want one of %s", f.like,
			strings.Join(slices.Sorted(maps.Keys(simulate.Measured)), ", "))
	}
	if f.times != "" {
		data, err := readFile(f.times, maxTimesBytes)
		if err != nil {
			return times, &usageError{err}
		}
		decoder := json.NewDecoder(bytes.NewReader(data))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&times); err != nil {
			return times, Usagef("%s: %w", f.times, err)
		}
	}
	if set.Changed("overlap") {
		times.Overlap = f.overlap
	}
	if set.Changed("replay") {
		if f.replay != fromBegin && f.replay != carried {
			return times, Usagef("--replay %q: want %s or %s", f.replay, fromBegin, carried)
		}
		times.Carried = f.replay == carried
	}
	return times, nil
}

// shards returns the number of shards for a number of devices: the same number for each device, with no shard above the
// limit.
func (f *simulateFlags) shards(devices int) int {
	return devices * max(f.perDevice, (f.cycles+f.most*devices-1)/(f.most*devices))
}

// mostShard bounds the search for the least shard that pays: no proof has more cycles.
const mostShard = 1 << 27

func (f *simulateFlags) lines(times simulate.Times) ([]simulated, error) {
	var lines []simulated
	for _, devices := range f.devices {
		fleet := simulate.Fleet{Devices: devices, PerHost: f.perHost, Shards: f.shards(devices)}
		if f.uneven && fleet.Shards > 0 && fleet.Devices > 0 {
			parts, _ := times.Rates(float64(f.cycles)).Cut(fleet.Shards, fleet.Devices)
			if slices.Max(parts)*float64(f.cycles) <= float64(f.most) {
				fleet.Parts = parts
			}
		}
		outcome, err := simulate.Prove(times, fleet, float64(f.cycles))
		if err != nil {
			return nil, err
		}
		line := simulated{Devices: devices, Hosts: fleet.Hosts(), Shards: fleet.Shards, SpeedUp: 1, Outcome: outcome}
		if len(lines) > 0 {
			line.SpeedUp = lines[0].Total / outcome.Total
		}
		if devices > 1 {
			if line.LeastShard, err = simulate.LeastShard(times, fleet, 1, mostShard); err != nil {
				return nil, err
			}
		}
		lines = append(lines, line)
	}
	return lines, nil
}

func (p *program) printSimulated(lines []simulated, times simulate.Times) error {
	text, _ := json.Marshal(times) // only numbers: cannot fail
	fmt.Fprintf(p.stdout, "times       %s\n\n", text)
	out := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "GPUs\thosts\tshards\tms\ttimes as fast\trun\trecords\tphase 1\tchallenges\tphase "+
		"2\treturn\tverify\twrite\tbusy\tsent\treceived\tleast shard\t")
	for _, l := range lines {
		least := "-"
		if l.LeastShard > 0 {
			least = fmt.Sprintf("%.2g M", l.LeastShard/1e6)
		}
		fmt.Fprintf(out, "%d\t%d\t%d\t%.0f\t%.2f\t", l.Devices, l.Hosts, l.Shards, 1000*l.Total, l.SpeedUp)
		for _, part := range []float64{l.Run, l.Records, l.Phase1, l.Challenges, l.Phase2, l.Return, l.Verify, l.Write} {
			fmt.Fprintf(out, "%.1f\t", 1000*part)
		}
		fmt.Fprintf(out, "%.0f %%\t%s\t%s\t%s\t\n", 100*l.Busy, bytesText(uint64(l.Sent)), bytesText(uint64(l.Received)),
			least)
	}
	return out.Flush()
}
