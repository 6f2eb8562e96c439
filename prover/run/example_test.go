package run_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"log"
	"os"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/run"
)

// A RISC-V program runs in two shards. A prover takes each shard from the iterator once it is available. The example
// counts them.
func Example() {
	file, err := os.ReadFile("../../guests/elf/fib.elf")
	if err != nil {
		log.Fatal(err)
	}
	program, err := riscv.New(file)
	if err != nil {
		log.Fatal(err)
	}
	input := binary.LittleEndian.AppendUint64(nil, 90) // iterations
	r, err := program.Run(context.Background(), run.Input{Data: input, Cut: run.Even(2)})
	if err != nil {
		log.Fatal(err)
	}
	shards := 0
	for _, err := range r.Shards {
		if err != nil {
			log.Fatal(err)
		}
		shards++
	}
	stated, err := statement.Read(r.Public())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("shards", shards)
	fmt.Println("exit code", stated.Exit)
	fmt.Println("output", binary.LittleEndian.Uint64(stated.Output))
	// Output:
	// shards 2
	// exit code 0
	// output 4660046610375530309
}
