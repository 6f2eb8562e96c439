package fleet

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"
)

// ServerProgram is the program that runs a fleet's server. It is installed in the same folder as harness; `harness
// fleet serve` executes it.
const ServerProgram = "harness-fleet-server"

// ServerSettings are the flags of a fleet's server, for `harness fleet serve` and [ServerProgram].
type ServerSettings struct {
	Store            string // the folder for the server's data
	Listen           string // HOST:PORT
	Certificate, Key string // PEM files
	Labels           []string
	Limits           Limits
}

// DefaultServerSettings returns the settings used if no flag is given.
func DefaultServerSettings() ServerSettings {
	return ServerSettings{Listen: "127.0.0.1:4223", Limits: defaultLimits()}
}

// Register defines the flags in the flag set.
func (s *ServerSettings) Register(flags *pflag.FlagSet) {
	flags.StringVar(&s.Store, "store", s.Store, "the `FOLDER` for the server's data")
	flags.StringVar(&s.Listen, "listen", s.Listen, "listen on `HOST:PORT`; port 0 chooses a free port")
	flags.StringVar(&s.Certificate, "tls-cert", s.Certificate, "PEM `FILE` of the server's certificate")
	flags.StringVar(&s.Key, "tls-key", s.Key, "PEM `FILE` of the server's key")
	flags.StringSliceVar(&s.Labels, "label", s.Labels,
		"create a credential for agent `NAME` (repeat, or separate with commas)")
	flags.DurationVar(&s.Limits.Presence, "presence", s.Limits.Presence,
		"an agent that is silent for `DURATION` counts as gone")
}

// Check returns an error if a setting is missing or invalid.
func (s *ServerSettings) Check() error {
	switch {
	case s.Store == "":
		return errors.New("--store FOLDER is missing: the folder for the server's data")
	case len(s.Labels) == 0:
		return errors.New("--label NAME is missing: the name of an agent")
	}
	for _, label := range s.Labels {
		if err := CheckLabel(label); err != nil || label == CoordinatorRole {
			return errors.Join(err, fmt.Errorf("--label %s", label))
		}
	}
	return nil
}

// Arguments returns the settings as flags for Register.
func (s *ServerSettings) Arguments() []string {
	list := []string{"--store=" + s.Store, "--listen=" + s.Listen, "--presence=" + s.Limits.Presence.String()}
	if s.Certificate != "" {
		list = append(list, "--tls-cert="+s.Certificate)
	}
	if s.Key != "" {
		list = append(list, "--tls-key="+s.Key)
	}
	for _, label := range s.Labels {
		list = append(list, "--label="+label)
	}
	return list
}
