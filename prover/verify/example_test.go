package verify_test

import (
	"context"
	"fmt"
	"os"

	"github.com/chiasmus/chiasmus/prover/verify"
	"github.com/chiasmus/chiasmus/prover/verify/known"
)

// A verifier reads a proof, finds the machine that it names, and sets the required number of bits. Outside of tests
// MinBits is 0, which means 128.
func ExampleVerify() {
	data, err := os.ReadFile("../protocol/testdata/fib.proof")
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := verify.Verify(context.Background(), data, verify.Options{
		MinBits: verify.AnyBits,
		Find:    known.Find(nil), // for a proof of a program: known.Find(&programID)
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Claims.Machine().Name, result.Size)
	for _, field := range result.Claims.Describe(result.Proof.Public) {
		fmt.Println(field.Name, field.Value)
	}
	// Output:
	// fib 32
	// a0 1
	// b0 2
	// result 5702887
}
