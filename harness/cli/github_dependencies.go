package cli

import (
	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/workflows"
)

const textDependenciesLong = `Runs build.fetch of every commit of a bundle, isolated, each in a checkout and with a home
of its own, and packs what it leaves for the GPU host, which has no network. The job needs no permission and no token.

From inside, http and https to the public internet can be reached through a proxy, which http_proxy and https_proxy
name; loopback, link-local and private ranges cannot. What is a pipe, a socket or a link that leads out does not travel,
and is named. The output dependencies holds the digests of the archives: measure and publish take it with
--dependencies.`

func (a *app) githubDependencies() *cobra.Command {
	var bundle, out, outputs string
	c := &cobra.Command{
		Use:   "dependencies --bundle DIR --out DIR",
		Short: "fetch dependencies for the GPU host, without a token",
		Long:  textDependenciesLong,
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			digests, err := workflows.FetchDependencies(c.Context(),
				workflows.FetchOnlyOptions{Bundle: bundle, Out: out, Log: a.stderr})
			if err == nil && outputs != "" {
				err = writeOutputs(outputs, [][2]string{{"dependencies", digests.Encode()}})
			}
			if err != nil {
				return a.failed(err)
			}
			return nil
		},
	}
	c.Flags().StringVar(&bundle, "bundle", "", "the folder that fetch or nightly plan wrote")
	c.Flags().StringVar(&out, "out", "", "the folder for the archives")
	c.Flags().StringVar(&outputs, "outputs", "", "append the job's outputs to this file, GITHUB_OUTPUT of the job")
	c.MarkFlagRequired("bundle")
	c.MarkFlagRequired("out")
	return c
}

// dependenciesFlag passes what was fetched to a step.
func dependenciesFlag(c *cobra.Command, into *string) {
	c.Flags().StringVar(into, "dependencies", "", "the digests of what was fetched, the output of dependencies")
}
