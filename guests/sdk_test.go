package guests

import (
	"encoding/json"
	"strings"
	"testing"
)

// The features equal the kit's targets for Rust, except what eth-act's targets have too.
func TestFeatures(t *testing.T) {
	text, err := files.ReadFile("rust/targets/riscv64im-unknown-none-elf.json")
	if err != nil {
		t.Fatal(err)
	}
	var target struct{ Features string }
	if err := json.Unmarshal(text, &target); err != nil {
		t.Fatal(err)
	}
	own, plain := strings.CutPrefix(target.Features, "+m,+forced-atomics,")
	all, err := SDK()
	if err != nil {
		t.Fatal(err)
	}
	last := all[len(all)-1]
	if !plain || last.Name != "zkvm.features" || string(last.Data) != own+"\n" {
		t.Errorf("%s: %q, the target has %q", last.Name, last.Data, target.Features)
	}
}
