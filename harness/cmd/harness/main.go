// Command harness compares the speed of two revisions or commands: see `harness help`.
package main

import (
	"os"

	"github.com/chiasmus/chiasmus/harness/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdout, os.Stderr)) }
