package cli

import (
	"fmt"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/internal/bus/roster"
	"github.com/chiasmus/chiasmus/prover/cluster"
)

func (p *program) credentialCommand() *cobra.Command {
	var store, role string
	cmd := &cobra.Command{
		Use:   "credential --store DIR (list | add NAME [--role worker|client] | remove NAME)",
		Short: "Make, list and remove the credentials of a cluster's server",
		Long: `Make, list and remove credentials in the folder of prover serve, before or while it runs. A worker or client
whose credential was removed loses its connection within a few seconds.

add writes DIR/credentials/NAME.nk, which you move to its holder's host with mode 600, and NAME.pub, which the server
needs. A client's credential has the key that signs tasks, a worker's the public key that verifies them. All credentials
of a folder share that key, so adding a client changes nothing for the workers.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return Usagef("want list, add NAME or remove NAME after prover credential")
		},
	}
	open := func(folder func(string, ...string) (*roster.Credentials, error)) (*roster.Credentials, error) {
		if store == "" {
			return nil, Usagef("--store DIR is missing: want the folder of prover serve")
		}
		return folder(roster.Folder(store), cluster.Ordering()...)
	}
	add := &cobra.Command{
		Use: "add NAME", Short: "Make a credential", Args: Exactly("NAME"),
		RunE: func(_ *cobra.Command, args []string) error {
			roles := []string{cluster.WorkerRole, cluster.ClientRole}
			if !slices.Contains(roles, role) {
				return Usagef("--role %s: want %s or %s", role, roles[0], roles[1])
			}
			c, err := open(roster.Open)
			if err != nil {
				return err
			}
			path, err := c.Add(roster.Member{Name: args[0], Kind: role})
			if err == nil {
				_, err = fmt.Fprintln(p.stdout, path)
			}
			return err
		},
	}
	add.Flags().StringVar(&role, "role", cluster.WorkerRole, "its holder's `ROLE`: worker or client")
	remove := &cobra.Command{
		Use: "remove NAME", Short: "Remove a credential", Args: Exactly("NAME"),
		RunE: func(_ *cobra.Command, args []string) error {
			c, err := open(roster.Find)
			if err != nil {
				return err
			}
			return c.Remove(args[0])
		},
	}
	list := &cobra.Command{
		Use: "list", Short: "List credentials", Args: Exactly(),
		RunE: func(*cobra.Command, []string) error {
			c, err := open(roster.Find)
			if err != nil {
				return err
			}
			members, err := c.List()
			if err != nil {
				return err
			}
			out := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
			for _, m := range members {
				fmt.Fprintf(out, "%s\t%s\t%s\n", m.Name, m.Kind, m.Public)
			}
			return out.Flush()
		},
	}
	cmd.PersistentFlags().StringVar(&store, "store", "", "the folder of prover serve: `DIR` (required)")
	cmd.AddCommand(add, remove, list)
	return cmd
}
