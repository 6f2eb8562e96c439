package cli

import (
	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/workflows"
)

const textDependenciesLong = `Run build.fetch of every commit of a bundle, isolated, each in its own checkout and with
its own home, and pack the fetched files for the GPU host, which has no network. The job needs no permission and no
token.

Inside the sandbox, HTTP and HTTPS to the public internet are available through the proxy in http_proxy and https_proxy;
loopback, link-local and private addresses are not. Pipes, sockets, and links that lead out are not packed, and the log
names them. The output dependencies contains the digests of the archives, for --dependencies of measure and publish.`

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

// dependenciesFlag adds the flag for the digests of fetched dependencies.
func dependenciesFlag(c *cobra.Command, into *string) {
	c.Flags().StringVar(into, "dependencies", "", "the digests of the fetched dependencies, the output of the "+
		"dependencies job")
}
