// Command harness-fleet-server is the server of a fleet. `harness fleet serve` starts it; it is a program of its own
// because the server's library is larger than all of the harness.
package main

import (
	"os"

	"github.com/chiasmus/chiasmus/harness/fleet/serve"
)

func main() { os.Exit(serve.Main(os.Args[1:], os.Stdout, os.Stderr)) }
