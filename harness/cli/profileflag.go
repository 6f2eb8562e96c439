package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/harness"
)

// registerProfile adds --profile, which may stand without a value.
func registerProfile(c *cobra.Command, into *string) {
	c.Flags().StringVar(into, "profile", "",
		"after the last measured pair, sample the call stacks of both arms and say which functions changed most; `SOURCE` "+
			"is "+strings.Join(harness.ProfileSources, ", ")+" (Linux)")
	c.Flags().Lookup("profile").NoOptDefVal = harness.ProfileAuto
}

// checkProfile refuses a source that there is not.
func checkProfile(source string) error {
	if source == "" || slices.Contains(harness.ProfileSources, source) {
		return nil
	}
	return fmt.Errorf("--profile=%s: want one of %s, or --profile alone", source,
		strings.Join(harness.ProfileSources, ", "))
}
