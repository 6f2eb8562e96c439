package all

import (
	"crypto/sha256"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/internal/pin"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/setup"
)

const protocolPage = "../../../docs/spec/protocol.md"

// The page of the protocol pins the canonical form and the digest of every machine. -all.update rewrites the lines.
func TestPageHasTheMachines(t *testing.T) {
	pin.Test(t)
	data, err := os.ReadFile(protocolPage)
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	programs, err := List()
	if err != nil {
		t.Fatal(err)
	}
	guest, err := riscv.New(riscvtest.Guest(t, "fib"))
	if err != nil {
		t.Fatal(err)
	}
	for _, program := range append(programs, guest) {
		m := program.Machine()
		key, err := setup.NewKey(m, protocol.Default())
		if err != nil {
			t.Fatal(err)
		}
		form := m.Canonical()
		want := fmt.Sprintf("| `%s` | %d | `%x` | `%x` |", m.Name, len(form), sha256.Sum256(form), key.Digest)
		if *update {
			page = regexp.MustCompile("(?m)^\\| `"+m.Name+"` \\| [0-9]+ \\|.*$").ReplaceAllString(page, want)
		}
		if !strings.Contains(page, want+"\n") {
			t.Errorf("docs/spec/protocol.md lacks (-all.update writes it):\n%s", want)
		}
	}
	if *update {
		if err := os.WriteFile(protocolPage, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
