// Command harness-fleet-server is the server of a fleet. `harness fleet serve` starts it. It is a separate program
// because the server's library is larger than the whole harness.
package main

import (
	"os"

	"github.com/chiasmus/chiasmus/harness/fleet/serve"
)

func main() { os.Exit(serve.Main(os.Args[1:], os.Stdout, os.Stderr)) }
