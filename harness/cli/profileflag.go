package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/harness/measure"
	"github.com/chiasmus/chiasmus/harness/sampling"
)

// registerProfile adds --profile, which may stand without a value.
func registerProfile(c *cobra.Command, into *string) {
	c.Flags().StringVar(into, "profile", "",
		"after the last measured pair, sample the call stacks of both arms, with Nsight Systems their GPU kernels too, "+
			"and say which functions changed most; `SOURCE` is "+strings.Join(measure.ProfileSources, ", ")+" (Linux)")
	c.Flags().Lookup("profile").NoOptDefVal = measure.ProfileAuto
}

// checkProfile refuses a source that does not exist, or is not installed.
func checkProfile(source string) error {
	if source == measure.ProfileNsight && !sampling.HasNsys() {
		return fmt.Errorf("--profile=%s: %w", source, sampling.ErrNoNsys)
	}
	if source == "" || slices.Contains(measure.ProfileSources, source) {
		return nil
	}
	return fmt.Errorf("--profile=%s: want one of %s, or --profile alone", source,
		strings.Join(measure.ProfileSources, ", "))
}
