// Command sbom writes a bill of materials next to each given program: FILE.cdx.json, in CycloneDX. Exit codes: 0
// success; 1 a file could not be read or written; 2 wrong usage.
package main

import (
	"fmt"
	"os"

	"github.com/chiasmus/chiasmus/internal/sbom"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: sbom PROGRAM...")
		os.Exit(2)
	}
	for _, path := range os.Args[1:] {
		text, err := sbom.Of(path)
		if err == nil {
			err = os.WriteFile(path+".cdx.json", text, 0o644)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "sbom:", err)
			os.Exit(1)
		}
	}
}
