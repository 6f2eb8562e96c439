package cli

import (
	"github.com/spf13/pflag"

	"github.com/chiasmus/chiasmus/internal/bytesize"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/run"
)

// The names of the default parameters for runs in shards: for the proof of all shards, and for an aggregation of the
// shards.
const (
	shardPreset = "shard"
	liftPreset  = "lift"
)

// shardFlags determine how a run is cut into shards.
type shardFlags struct {
	count, cycles int
	memory        bytesize.Size // 0 for none; it determines the number of shards unless a flag does
	chosen        bool          // whether memory determined the count
	devices       string        // of prove and session only
	parts         string        // of session only
	made          int           // number of shards of the last run that was cut
	set           *pflag.FlagSet
}

func (s *shardFlags) add(set *pflag.FlagSet) {
	s.set = set
	set.IntVar(&s.count, "shards", 0,
		"prove a program's run in `N` shards, on several devices or one after another")
	set.IntVar(&s.cycles, "shard-cycles", 0, "prove a program's run in shards of at most about `N` cycles")
	set.Var(&s.memory, "memory", "memory that a proof may take, such as 8GiB: of the host on the CPU, else of a device; "+
		"it chooses the number of shards")
}

func (s *shardFlags) addDevices(set *pflag.FlagSet) {
	set.StringVar(&s.devices, "devices", "", "GPUs to prove shards on: all, or a `LIST` such as 0,1 (see --device)")
}

// The values of --shard-parts.
const (
	evenParts  = "even"
	timedParts = "timed"
)

func (s *shardFlags) addParts(set *pflag.FlagSet) {
	set.StringVar(&s.parts, "shard-parts", evenParts,
		"sizes of the shards in a session: even, or timed (minimizes the time on "+
			"several devices, from the times of the previous proof)")
}

// given reports whether a run is to be cut. It is false for commands without these flags.
func (s *shardFlags) given() bool {
	return s.set != nil && (s.set.Changed("shards") || s.set.Changed("shard-cycles") || s.chosen)
}

// wanted reports whether a run may be cut: a flag requests it, or the proof must fit a memory size.
func (s *shardFlags) wanted() bool { return s.given() || s.memory > 0 }

func (s *shardFlags) check() error {
	switch {
	case !s.wanted() && s.devices != "":
		return Usagef("--devices applies to runs in shards: it needs --shards, --shard-cycles or --memory")
	case s.parts != "" && s.parts != evenParts && s.parts != timedParts:
		return Usagef("--shard-parts %q: want %s or %s", s.parts, evenParts, timedParts)
	case !s.wanted() && s.parts == timedParts:
		return Usagef("--shard-parts applies to runs in shards: it needs --shards, --shard-cycles or --memory")
	case !s.given():
		return nil
	case s.set.Changed("shards") && s.set.Changed("shard-cycles"):
		return Usagef("--shards and --shard-cycles exclude each other")
	case s.set.Changed("shards") && (s.count < protocol.MinShards || s.count > protocol.MaxShards):
		return Usagef("--shards is %d, want %d to %d", s.count, protocol.MinShards, protocol.MaxShards)
	case s.set.Changed("shard-cycles") && s.cycles < 1:
		return Usagef("--shard-cycles is %d, want at least 1", s.cycles)
	}
	return nil
}

// shardsOf returns the number of shards of a run of this many cycles.
func (s *shardFlags) shardsOf(cycles int) int {
	if s.cycles == 0 {
		return s.count
	}
	return max((cycles+s.cycles-1)/s.cycles, protocol.MinShards)
}

// cut cuts runs according to the flags: into the given parts, if their number matches, else evenly.
func (s *shardFlags) cut(parts []int) run.Cut {
	return run.Parts(func(cycles int) []int {
		if s.made = s.shardsOf(cycles); s.made != len(parts) {
			return run.EvenParts(s.made)
		}
		return parts
	})
}
