// Package fakeprover is a prover for the tests of the harness: it proves nothing, takes no time, and reports times drawn
// from a seeded model, so that a slow head is slow by exactly as much as the test says, on any machine.
//
// A model is a text file of key=value lines, part of the test's repository and so different between its revisions:
//
//	seconds=0.1      the mean time of a proof
//	noise=0.01       standard deviation of its logarithm, drawn from the request's seed and the salt
//	salt=head        tells the noise of two models apart
//	stall=20         percent by which every second proof takes longer, as a prover that stalls by itself
//	commit=0.5       share of the stage stage_commit_seconds
//	rate=5           a metric proofs_per_second, better higher: rate divided by the time
//	sleep=10ms       real time that a proof takes
//	format=1         version of the proof format; a verifier refuses any other
//	statement=claim  what is hashed into the ready line; "none" leaves it and security_bits out
//	bits=128         security_bits
//	fallbacks=0      a counter
//	fault=NAME       misbehave, see faults.go
//	at=3             from this request on (default 1), counted in a session
//
// Its proofs hold seed, statement and a checksum, so that the verifier has something to verify.
package fakeprover

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"time"
)

// Main runs `session`, `prove` or `verify` and returns the exit code.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		fmt.Fprintln(stderr, "usage: fakeprover session|prove|verify --model FILE ...")
		return 2
	}
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	flags.SetOutput(stderr)
	path := flags.String("model", "", "the model")
	seed := flags.Uint64("seed", 0, "seed of the proof")
	proof := flags.String("proof", "", "where the proof goes, or lies")
	metrics := flags.String("metrics", "", "where the metrics go")
	if flags.Parse(args[1:]) != nil {
		return 2
	}
	m, err := readModel(*path)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 2
	}
	switch args[0] {
	case "session":
		return m.session(stdin, stdout, stderr)
	case "prove":
		return m.process(*seed, *proof, *metrics, stderr)
	case "verify":
		return m.verify(*proof, stderr)
	}
	return 2
}

type model struct {
	values map[string]string
	proofs int // made so far
}

func readModel(path string) (*model, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m := &model{values: map[string]string{"seconds": "0.1", "noise": "0.01", "format": "1", "statement": "claim", "bits": "128", "commit": "0.5", "at": "1"}}
	for _, word := range strings.Fields(string(text)) {
		key, value, ok := strings.Cut(word, "=")
		if !ok {
			return nil, fmt.Errorf("%s: %q is not key=value", path, word)
		}
		m.values[key] = value
	}
	return m, nil
}

func (m *model) number(key string) float64 {
	x, err := strconv.ParseFloat(m.values[key], 64)
	if err != nil && m.values[key] != "" {
		panic(fmt.Sprintf("model: %s=%s: %v", key, m.values[key], err))
	}
	return x
}

// seconds draws the time of a proof.
func (m *model) seconds(seed uint64) float64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s/%d", m.values["salt"], seed))
	noise := rand.New(rand.NewPCG(binary.LittleEndian.Uint64(sum[:]), 1)).NormFloat64()
	seconds := m.number("seconds") * math.Exp(m.number("noise")*noise)
	if m.proofs%2 == 0 {
		seconds *= 1 + m.number("stall")/100
	}
	return seconds
}

func (m *model) statement() string {
	sum := sha256.Sum256([]byte(m.values["statement"]))
	return hex.EncodeToString(sum[:])
}

// prove writes the proof and returns the event.
func (m *model) prove(seed uint64, path string) (map[string]any, error) {
	m.proofs++
	if d, err := time.ParseDuration(m.values["sleep"]); err == nil {
		time.Sleep(d)
	}
	seconds := m.seconds(seed)
	body := fmt.Sprintf("format=%s seed=%d statement=%s\n", m.values["format"], seed, m.statement())
	sum := sha256.Sum256([]byte(body))
	if m.faulty("badproof") {
		sum[0] ^= 1
	}
	content := body + hex.EncodeToString(sum[:]) + "\n"
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		return nil, err
	}
	digest := sha256.Sum256([]byte(content))
	commit := seconds * m.number("commit")
	metrics := map[string]any{
		"prove_seconds": seconds, "stage_commit_seconds": commit, "stage_other_seconds": seconds - commit,
		"peak_host_bytes": 1 << 20,
	}
	if rate := m.number("rate"); rate > 0 {
		metrics["proofs_per_second"] = rate / seconds
	}
	return map[string]any{"metrics": metrics, "counters": map[string]any{"fallbacks": m.number("fallbacks")},
		"proof_bytes": len(content), "proof_sha256": hex.EncodeToString(digest[:])}, nil
}

// verify accepts what prove wrote, of the same format only.
func (m *model) verify(path string, stderr io.Writer) int {
	content, err := os.ReadFile(path)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 2
	}
	body, sum, _ := strings.Cut(string(content), "\n")
	want := sha256.Sum256([]byte(body + "\n"))
	switch {
	case !strings.HasPrefix(body, "format="+m.values["format"]+" "):
		fmt.Fprintln(stderr, "invalid: unknown proof format")
		return 1
	case strings.TrimSpace(sum) != hex.EncodeToString(want[:]):
		fmt.Fprintln(stderr, "invalid: the checksum does not match")
		return 1
	}
	return 0
}

// process makes one proof, with a metrics file where one is asked for.
func (m *model) process(seed uint64, proof, metrics string, stderr io.Writer) int {
	if code, stop := m.misbehaveAlone(stderr); stop {
		return code
	}
	event, err := m.prove(seed, proof)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	if metrics == "" {
		return 0
	}
	if m.faulty("nometrics") {
		delete(event["metrics"].(map[string]any), "prove_seconds")
	}
	text, err := json.Marshal(event)
	if err == nil {
		err = os.WriteFile(metrics, text, 0o644)
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	return 0
}

// session answers requests until it is told to exit.
func (m *model) session(stdin io.Reader, stdout, stderr io.Writer) int {
	fmt.Fprintln(stderr, "fakeprover: starting")
	ready := map[string]any{"schema": "chiasmus.session/1", "event": "ready", "backend": "fake", "device": "none", "setup_seconds": 0.001}
	if m.values["statement"] != "none" {
		ready["statement"], ready["security_bits"] = m.statement(), m.number("bits")
	}
	if m.faulty("fickle") {
		ready["security_bits"] = 128 + time.Now().UnixNano()%1e6
	}
	if code, stop := m.misbehaveAtStart(ready, stdout, stderr); stop {
		return code
	}
	out := json.NewEncoder(stdout)
	if out.Encode(ready) != nil {
		return 1
	}
	scanner := bufio.NewScanner(stdin)
	for scanner.Scan() {
		var r struct {
			Op    string
			ID    int64
			Seed  uint64
			Proof string
		}
		if err := json.Unmarshal(scanner.Bytes(), &r); err != nil {
			fmt.Fprintln(stderr, "bad request:", err)
			return 1
		}
		switch r.Op {
		case "exit":
			if m.values["fault"] == "badexit" {
				return 4
			}
			return 0
		case "prove":
			event, err := m.prove(r.Seed, r.Proof)
			if err != nil {
				fmt.Fprintln(stderr, err)
				return 1
			}
			event["event"], event["id"], event["ok"] = "proof", r.ID, true
			if code, stop := m.misbehave(event, r.Proof, stdout, stderr); stop {
				return code
			}
			if out.Encode(event) != nil {
				return 1
			}
		}
	}
	return 0
}
