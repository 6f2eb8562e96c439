// Command verifier verifies proofs and does nothing else. It is small, and also runs as WebAssembly.
//
//	verifier [--id PROGRAM_ID] [--min-bits N] [--exit CODE] PROOF
//
// It links no emulator, backend, transform or device. A test runs it as js/wasm and wasip1/wasm under Node.js on
// proofs in files, and bounds its size.
package main

import "os"

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }
