// Command fakeprover runs the prover of package fakeprover. A file that begins with "#!PATH as", where PATH is the
// program's, is the prover of a revision: it starts sooner than a shell script that starts this program.
package main

import (
	"os"

	"github.com/chiasmus/chiasmus/harness/internal/fakeprover"
)

func main() {
	args := os.Args[1:]
	if len(args) > 1 && args[0] == "as" {
		args = args[2:] // without the name of the file
	}
	os.Exit(fakeprover.Main(args, os.Stdin, os.Stdout, os.Stderr))
}
