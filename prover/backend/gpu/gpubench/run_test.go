package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fakeFolder is a folder as `make gpu-build` leaves it, with programs that print recorded output.
func fakeFolder(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	script := func(name, text string) {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	script("prover", read("prover"))
	for binary, output := range map[string]string{deviceBenchmarks: "devicecheck.txt", backendBenchmarks: "gpu.txt"} {
		script(binary,
			"#!/bin/sh\n[ \"$CHIASMUS_DEVICE\" = gpu ] && [ -d \"$CHIASMUS_KERNELS\" ] || { echo unset >&2; exit 1; }\ncat "+
				"<<'END'\n"+read(output)+"END\n")
	}
	if err := os.Mkdir(filepath.Join(folder, "kernels"), 0o755); err != nil {
		t.Fatal(err)
	}
	return folder
}

// runFake runs the command with more flags and reads what it wrote.
func runFake(t *testing.T, flags ...string) (code int, r *report, stdout, stderr string) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "bench.json")
	var output, log bytes.Buffer
	code = benchmark(append([]string{"--dir", fakeFolder(t), "--out", out, "--proofs", "2", "--timeout", "20s",
		"--keccak", "", "--fib", ""}, flags...), &output, &log)
	if data, err := os.ReadFile(out); err == nil {
		r = &report{}
		if err := json.Unmarshal(data, r); err != nil {
			t.Fatal(err)
		}
	}
	return code, r, output.String(), log.String()
}

func TestRun(t *testing.T) {
	code, r, stdout, stderr := runFake(t, "--fib", "256,1024", "--cpu-sizes", "10")
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	if r.Schema != schema || r.Device.Name != "Recorded GPU" || r.Limits == nil ||
		len(r.Kernels) != 14 || len(r.Proofs) != 3 {
		t.Fatalf("%+v", r)
	}
	keccak, fib, large := r.Proofs[0], r.Proofs[1], r.Proofs[2]
	if keccak.Machine != "keccak" || keccak.CPURatio == nil || *keccak.CPURatio != 40 || keccak.Verified != 9 {
		t.Errorf("keccak on both: %+v", keccak)
	}
	if fib.Status != statusProved || fib.ProveSeconds.Median != 0.2 || len(fib.ProveSeconds.All) != 2 ||
		fib.Verified != 6 || *fib.DeviceBusyFraction != 0.9 ||
		*fib.Launches != 812 || *fib.PeakError < 0.0099 || *fib.PeakError > 0.0101 || fib.SecurityBits != 128 {
		t.Errorf("fib: %+v", fib)
	}
	if large.Status != statusRefused || !strings.Contains(large.Reason, "the device has 1000") ||
		*large.PredictedPeakBytes != 300000 {
		t.Errorf("a proof that does not fit: %+v", large)
	}
	stages := map[string]stageReport{}
	for _, s := range r.Stages {
		if s.Machine == "fib" {
			stages[s.Stage] = s
		}
	}
	// A table of 256 rows: three main columns at most, and 10^6 hashes at 3.56 G a second in a millisecond.
	if s := stages["grind"]; s.Limit == nil || s.Limit.BoundBy != "arithmetic" || s.Limit.Fraction < 0.28 ||
		s.Limit.Fraction > 0.282 {
		t.Errorf("grind: %+v %+v", s, s.Limit)
	}
	if s := stages["open"]; *s.HostSeconds != 0.02 || *s.DeviceSeconds != 0.01 || *s.Launches != 4 ||
		s.Limit == nil || s.Work.Bytes == 0 {
		t.Errorf("open: %+v", s)
	}
	if s := stages["other"]; s.Work != nil || s.Limit != nil || s.DeviceSeconds != nil {
		t.Errorf("other: %+v", s)
	}
	for _, want := range []string{"Recorded GPU: copy 4.25 TB/s", "Forward/2^22x16", "fib 256",
		"refused: prover session: the proof takes 300000 bytes"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("the table lacks %q:\n%s", want, stdout)
		}
	}
}

func TestRunFails(t *testing.T) {
	for _, tc := range []struct{ name, size, want string }{
		{"an invalid proof", "2048", "the final polynomial is wrong"},
		{"a proof made on the CPU", "512", "fallbacks is 1, want 0"},
		{"a proof that failed", "4096", "proof 2: out of memory"},
	} {
		code, r, _, stderr := runFake(t, "--fib", tc.size)
		if code != 1 || !strings.Contains(stderr, tc.want) {
			t.Errorf("%s: exit code %d, want 1 and %q:\n%s", tc.name, code, tc.want, stderr)
		}
		if r == nil || len(r.Proofs) != 1 || r.Proofs[0].Status != statusFailed ||
			!strings.Contains(r.Proofs[0].Reason, tc.want) {
			t.Errorf("%s: the report has %+v", tc.name, r)
		}
	}
}

func TestBudget(t *testing.T) {
	code, r, _, stderr := runFake(t, "--fib", "256", "--budget", "1ns")
	if code != 0 || len(r.Proofs) != 1 || r.Proofs[0].Status != statusLeftOut {
		t.Errorf("exit code %d, %+v: %s", code, r, stderr)
	}
}

func TestFlags(t *testing.T) {
	empty := t.TempDir()
	for _, tc := range []struct {
		flags []string
		want  string
	}{
		{[]string{"--dir", empty}, "prover is missing; `make gpu-build` makes it"},
		{[]string{"--proofs", "0"}, "--proofs is 0"},
		{[]string{"--fib", "0"}, `--fib: "0" is not a size`},
		{[]string{"--params", "none"}, "--params: "},
		{[]string{"--out", filepath.Join(empty, "no", "bench.json")}, "its folder does not exist"},
		{[]string{"--device", "1"}, "CUDA_VISIBLE_DEVICES"},
		{[]string{"--timeout", "0s"}, "must be above 0"},
		{[]string{"more"}, `unexpected argument "more"`},
	} {
		code, r, _, stderr := runFake(t, tc.flags...)
		if code != 2 || r != nil || !strings.Contains(stderr, tc.want) {
			t.Errorf("%v: exit code %d, report %v, want 2 and %q:\n%s", tc.flags, code, r != nil, tc.want, stderr)
		}
	}
}

func TestMissingBenchmarkNamesIt(t *testing.T) {
	folder := fakeFolder(t)
	if err := os.WriteFile(filepath.Join(folder, deviceBenchmarks),
		[]byte("#!/bin/sh\necho 'BenchmarkCopy-8 1 4250 GB/s'\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	if code := benchmark([]string{"--dir", folder, "--out", filepath.Join(folder, "bench.json")}, &log, &log); code != 1 ||
		!strings.Contains(log.String(), "BenchmarkLimit/multiplications of devicecheck.test reported no Gmultiplications/s") {
		t.Errorf("exit code %d:\n%s", code, log.String())
	}
}
