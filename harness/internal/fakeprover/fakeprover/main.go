// Command fakeprover runs the prover of package fakeprover.
package main

import (
	"os"

	"github.com/chiasmus/chiasmus/harness/internal/fakeprover"
)

func main() { os.Exit(fakeprover.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
