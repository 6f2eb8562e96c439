// Command generate writes the prover's vector kernels into the repository.
package main

import (
	"flag"
	"log"

	"github.com/chiasmus/chiasmus/prover/internal/kernelgen"
)

func main() {
	root := flag.String("root", ".", "the repository's `directory`")
	flag.Parse()
	if err := kernelgen.Write(*root); err != nil {
		log.Fatal(err)
	}
}
