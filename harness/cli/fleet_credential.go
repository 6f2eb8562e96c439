package cli

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/fleet"
	"github.com/chiasmus/chiasmus/internal/bus/roster"
)

// opener opens a folder of credentials.
type opener func(folder string, ordering ...string) (*roster.Credentials, error)

// fleetCredential creates, lists and removes the credentials of a fleet's server.
func (a *app) fleetCredential() *cobra.Command {
	var store, role string
	c := &cobra.Command{
		Use:   "credential",
		Short: textFleetCredentialShort,
		Long:  textFleetCredentialLong,
		Args:  cobra.NoArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.PersistentFlags().StringVar(&store, "store", "", "the `FOLDER` of `harness fleet serve`")
	c.MarkPersistentFlagRequired("store")
	// with opens the folder of credentials and calls do with it.
	with := func(open opener, do func(*roster.Credentials) error) error {
		credentials, err := open(roster.Folder(store), fleet.Ordering()...)
		if err == nil {
			err = do(credentials)
		}
		if err != nil {
			return a.fail(nil, &failure.UsageError{Err: err})
		}
		return nil
	}
	add := &cobra.Command{Use: "add NAME", Short: "create a credential", Args: oneArgument("NAME, an agent's label"),
		RunE: func(_ *cobra.Command, args []string) error {
			return with(roster.Open, func(c *roster.Credentials) error {
				if err := fleet.CheckLabel(args[0]); err != nil {
					return err
				}
				if role != fleet.AgentRole && role != fleet.CoordinatorRole {
					return fmt.Errorf("--role %s: want %s or %s", role, fleet.AgentRole, fleet.CoordinatorRole)
				}
				path, err := c.Add(roster.Member{Name: args[0], Kind: role})
				if err == nil {
					_, err = fmt.Fprintln(a.stdout, path)
				}
				return err
			})
		}}
	add.Flags().StringVar(&role, "role", fleet.AgentRole, "`ROLE` of the holder: agent or coordinator")
	remove := &cobra.Command{Use: "remove NAME", Short: "remove a credential", Args: oneArgument("NAME, as list prints " +
		"it"),
		RunE: func(_ *cobra.Command, args []string) error {
			return with(roster.Find, func(c *roster.Credentials) error { return c.Remove(args[0]) })
		}}
	list := &cobra.Command{Use: "list", Short: "list credentials", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return with(roster.Find, func(c *roster.Credentials) error {
				members, err := c.List()
				if err != nil {
					return err
				}
				out := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
				for _, m := range members {
					fmt.Fprintf(out, "%s\t%s\t%s\n", m.Name, m.Kind, m.Public)
				}
				return out.Flush()
			})
		}}
	c.AddCommand(add, remove, list)
	return c
}
