package main

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/guests/block/witness"
)

// ask runs the command and returns its output and its error's text.
func ask(args ...string) (printed, failed string) {
	var out bytes.Buffer
	if err := run(args, &out, &out); err != nil {
		failed = err.Error()
	}
	return out.String(), failed
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// header is one of 15 fields, of which only the sizes are right.
const header = `{"parent_hash":H,"ommers_hash":H,"beneficiary":A,"state_root":H,"transactions_root":H,"receipts_root":H,
	"logs_bloom":B,"difficulty":0,"number":5,"gas_limit":1,"gas_used":"0x1","timestamp":1700000000,"extra_data":"0x",
	"mix_hash":H,"nonce":"0x0000000000000000","base_fee_per_gas":7,"withdrawals_root":H}`

func scroll() string {
	zeros := func(n int) string { return `"0x` + strings.Repeat("00", n) + `"` }
	fields := strings.NewReplacer("H", zeros(32), ":A", ":"+zeros(20), ":B", ":"+zeros(256)).Replace(header)
	return `{"chain_id":1,"header":` + fields + `,"prev_state_root":` + zeros(32) + `,"transactions":[],
		"withdrawals":[],"states":["0x80"],"codes":["0x"]}`
}

func TestConvert(t *testing.T) {
	output := filepath.Join(t.TempDir(), "block.bin")
	printed, failed := ask("--scroll", write(t, "block.json", scroll()), "--output", output)
	if failed != "" || !strings.Contains(printed, "chain 1: headers 1, transactions 0, withdrawals 0, nodes 1, codes 1") {
		t.Fatalf("%s; %s", printed, failed)
	}
	data, err := os.ReadFile(output)
	if err != nil {
		t.Fatal(err)
	}
	b, err := witness.Decode(data)
	if err != nil || b.ChainID != 1 || len(b.Nodes) != 1 {
		t.Fatalf("%+v, %v", b, err)
	}
}

// zeth is the begin of an input of zeth's guest, up to the first transaction's chain, which is 1.
func zeth() []byte {
	var out []byte
	sized := func(sizes ...int) {
		for _, size := range sizes {
			out = append(binary.LittleEndian.AppendUint64(out, uint64(size)), make([]byte, size)...)
		}
	}
	sized(32, 32, 20, 32, 32, 32)
	out = append(out, 0) // no root of withdrawals
	sized(256, 32)
	out = append(out, make([]byte, 4*8)...)
	sized(32, 8)
	out = append(out, make([]byte, 5)...) // no later fields
	sized(0)
	out = binary.LittleEndian.AppendUint64(out, 1) // transactions
	sized(32, 32, 8)
	out = binary.LittleEndian.AppendUint32(out, 2) // the type
	return binary.LittleEndian.AppendUint64(out, 1)
}

// Missing, surplus and invalid files are named in the error, and nothing is written.
func TestConvertRefuses(t *testing.T) {
	output := filepath.Join(t.TempDir(), "block.bin")
	file := write(t, "file.json", "{}")
	begin := write(t, "zeth.bin", string(zeth()))
	for words, args := range map[string][]string{
		"--output is missing":         {"--scroll", file},
		"unexpected argument":         {"--scroll", file, "--output", output, "more"},
		"give one of":                 {"--output", output},
		"give one of --block":         {"--output", output, "--scroll", file, "--reth", file},
		"give one of --block with":    {"--output", output, "--block", file},
		"no such file":                {"--output", output, "--reth", file + ".not"},
		"has no field \"chainId\"":    {"--output", output, "--scroll", file},
		"first part":                  {"--output", output, "--reth", file},
		"byte 0: header.parentHash":   {"--output", output, "--zeth", file},
		"is it a block of another":    {"--output", output, "--zeth", begin, "--chain", "5"},
		"[0].nonce: 8 bytes, and 0":   {"--output", output, "--zeth", begin},
		"has no field \"parentHash\"": {"--output", output, "--block", file, "--witness", file},
		"flag provided but not":       {"--geth", file},
	} {
		if _, failed := ask(args...); !strings.Contains(failed, words) {
			t.Errorf("%q: the error is %q, want one with %q", args, failed, words)
		}
	}
	if _, err := os.Stat(output); err == nil {
		t.Error("a refused conversion wrote its output")
	}
}
