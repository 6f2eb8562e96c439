package riscv_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
)

// A proof checks the signature of RFC 6979, A.2.5, of "sample" with SHA-256 over P-256, by calls of the accelerators
// for points of curves.
func TestSignatureIsProven(t *testing.T) {
	if testing.Short() {
		t.Skip("proves a signature")
	}
	number := func(text string) []byte {
		b, err := hex.DecodeString(text)
		if err != nil || len(b) != 32 {
			t.Fatalf("%s: %d bytes, %v", text, len(b), err)
		}
		return b
	}
	hash := sha256.Sum256([]byte("sample"))
	private := slices.Concat(riscvtest.Numbers(1),
		number("efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"),
		number("f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8"))
	public := slices.Concat(hash[:],
		number("60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"),
		number("7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"))
	s := runOf(t, riscvtest.Guest(t, "ecdsa"), private, public)
	if output := s.execution.Stated().Output; !bytes.Equal(output, []byte{1}) {
		t.Fatalf("the guest says %x of the signature, want 1", output)
	}
	for table, least := range map[string]int{"ECADD": 100, "ECDOUBLE": 254, "FIELD256": 1} {
		if calls := len(s.rows(table, nil)); calls < least {
			t.Errorf("%d calls are rows of %s, want %d", calls, table, least)
		}
	}
	proven(t, s)
}
