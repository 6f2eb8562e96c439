package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/harness/measure"
	"github.com/chiasmus/chiasmus/harness/sampling"
)

// registerProfile adds --profile, whose value is optional.
func registerProfile(c *cobra.Command, into *string) {
	c.Flags().StringVar(into, "profile", "",
		"after the last pair, sample the call stacks of both arms (with Nsight Systems, also GPU kernels) and report "+
			"which functions changed most; `SOURCE` is "+strings.Join(measure.ProfileSources, ", ")+" (Linux)")
	c.Flags().Lookup("profile").NoOptDefVal = measure.ProfileAuto
}

// checkProfile returns an error for a source that does not exist or is not installed.
func checkProfile(source string) error {
	if source == measure.ProfileNsight && !sampling.HasNsys() {
		return fmt.Errorf("--profile=%s: %w", source, sampling.ErrNoNsys)
	}
	if source == "" || slices.Contains(measure.ProfileSources, source) {
		return nil
	}
	return fmt.Errorf("--profile=%s: want one of %s, or --profile without a value", source,
		strings.Join(measure.ProfileSources, ", "))
}
