// Command harness compares two revisions of a prover. `harness help` says how.
package main

import (
	"os"

	"github.com/chiasmus/chiasmus/harness/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdout, os.Stderr)) }
