package riscvtest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/elf"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
)

// Load reads and decodes an ELF.
func Load(t testing.TB, file []byte) *program.Program {
	t.Helper()
	f, err := elf.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := program.New(f)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// QEMU runs a program under QEMU's user mode and returns its standard output. It skips the test if QEMU is missing,
// except in CI, where it fails the test.
func QEMU(t testing.TB, file []byte) []byte {
	t.Helper()
	qemu, err := exec.LookPath("qemu-riscv64")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("%v: install Debian's qemu-user", err)
		}
		t.Skipf("%v: install Debian's qemu-user", err)
	}
	path := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(path, file, 0o755); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(qemu, path)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("qemu: %v\n%s", err, &stderr)
	}
	return stdout.Bytes()
}
