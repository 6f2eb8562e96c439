// Package fakeprover is a prover for tests of the harness. It proves nothing: it sleeps for times sampled from a seeded
// model and reports these times, so that a slow head is slower by exactly the amount that the test sets, on any
// machine.
//
// A model is a text file of key=value lines in the test's repository, so revisions can have different models:
//
//	seconds=0.005    the mean time of a proof
//	noise=0.01       standard deviation of its logarithm, sampled from the request's seed and the salt
//	salt=head        makes the noise of two models independent
//	spike=5          the proof of this number, counted in a session, takes eight times as long
//	cold=8           first proofs of a session that take longer: the last by chill, the one before by 2 chill, ...
//	chill=5          percent
//	stall=20         percent by which every second proof takes longer
//	slowed=FILE      proofs take longer by the percentage in this file, if it exists, as on a slower host
//	device=0.001     additional seconds of stage_commit_seconds on a device; they repeat within 0.02 percent
//	cells=1000       a counter
//	commit=0.5       share of the stage stage_commit_seconds
//	rate=5           a metric proofs_per_second, better higher: rate divided by the time
//	understate=0.5   share of the time that is reported; the proof takes all of it
//	format=1         version of the proof format; the verifier rejects any other
//	statement=claim  the proven statement of each seed; it is hashed into proofs and claims
//	says=claim       the claimed statement (default: statement); "none" omits both statements and security_bits
//	exact=none       omits exact_statement; "honest" reports each proof's true statement, whatever says is
//	input=fixed      the seed is ignored: all proofs prove one statement
//	verifier=weak    the verifier accepts every proof; "halved" accepts every proof with a valid checksum
//	bits=128         security_bits
//	fallbacks=0      a counter
//	fault=NAME       misbehave, see faults.go
//	at=3             from this request on (default 1), counted in a session
//	spin=2           CPUs that a session keeps busy while it waits
//	linger=20ms      CPU time that a session takes after each reply
//	onsignal=3ms     CPU time that a session takes at each SIGUSR1
//	hold=FILE        proofs wait while this file exists; $NAME stands for a variable of the environment
//	holdat=6         from this proof on, counted in a session
//
// A proof contains seed, statements and a checksum, which the verifier checks. The verifier logs each call: the hash of
// the proof, its arguments and its result.
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
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
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
	path := flags.String("model", "model", "the model")
	seed := flags.Uint64("seed", 0, "seed of the proof")
	proof := flags.String("proof", "", "path of the proof")
	metrics := flags.String("metrics", "", "path of the metrics")
	statement := flags.String("statement", "", "statement that the proof must prove")
	exact := flags.String("exact", "", "statement, exact or not, that the proof must prove")
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
		return m.verify(*proof, *statement, *exact, stderr)
	}
	return 2
}

type model struct {
	values map[string]string
	proofs int // number of proofs made so far
	busy   atomic.Bool
	first  []byte // the first proof
	copied []byte // another prover's proof of the requested seed

	stopping sync.Once
}

func readModel(path string) (*model, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m := &model{values: map[string]string{
		"seconds":   "0.005",
		"noise":     "0.01",
		"format":    "1",
		"statement": "claim",
		"bits":      "128",
		"commit":    "0.5",
		"at":        "1",
		"chill":     "5",
	}}
	for _, word := range strings.Fields(string(text)) {
		key, value, ok := strings.Cut(word, "=")
		if !ok {
			return nil, fmt.Errorf("%s: %q is not key=value", path, word)
		}
		m.values[key] = value
	}
	if m.values["says"] == "" {
		m.values["says"] = m.values["statement"]
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

// seconds samples the time of a proof.
func (m *model) seconds(seed uint64) float64 {
	seconds := m.number("seconds") * math.Exp(m.number("noise")*m.noise("", seed))
	if m.proofs%2 == 0 {
		seconds *= 1 + m.number("stall")/100
	}
	if left := m.number("cold") - float64(m.proofs); left > 0 {
		seconds *= 1 + left*m.number("chill")/100
	}
	if m.proofs == int(m.number("spike")) {
		seconds *= 8
	}
	if text, err := os.ReadFile(m.values["slowed"]); err == nil {
		percent, _ := strconv.ParseFloat(string(text), 64)
		seconds *= 1 + percent/100
	}
	return seconds
}

// noise samples a standard normal value from the salt, the seed of a proof and a purpose.
func (m *model) noise(purpose string, seed uint64) float64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s/%d%s", m.values["salt"], seed, purpose))
	return rand.New(rand.NewPCG(binary.LittleEndian.Uint64(sum[:]), 1)).NormFloat64()
}

// statement returns the digest of a text, exact of a text and a seed.
func statement(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func (m *model) exact(text string, seed uint64) string {
	if m.values["input"] == "fixed" {
		seed = 0
	}
	return statement(fmt.Sprintf("%s of seed %d", text, seed))
}

// claim adds the prover's claim about a proof.
func (m *model) claim(event map[string]any, seed uint64) {
	says := m.values["says"]
	if m.values["exact"] == "honest" {
		says = m.values["statement"]
	}
	if says != "none" && m.values["exact"] != "none" {
		event["exact_statement"] = m.exact(says, seed)
	}
}

// prove writes the proof and returns the event.
func (m *model) prove(seed uint64, path string) (map[string]any, error) {
	m.proofs++
	m.hold()
	begun := time.Now()
	proven := seed
	if m.values["input"] == "fixed" {
		proven = 0
	}
	body := fmt.Sprintf("format=%s seed=%d statement=%s exact=%s\n",
		m.values["format"], proven, statement(m.values["statement"]), m.exact(m.values["statement"], seed))
	sum := sha256.Sum256([]byte(body))
	if m.faulty("badproof") {
		sum[0] ^= 1
	}
	content := []byte(body + hex.EncodeToString(sum[:]) + "\n")
	if m.first == nil {
		m.first = content
	}
	if m.faulty("replay") {
		content = m.first
	}
	device := m.number("device") * math.Exp(0.0002*m.noise("device", seed))
	seconds := m.seconds(seed) + device
	if m.copied != nil {
		content, seconds = m.copied, 0.0001
	}
	sleepUntil(begun.Add(time.Duration(seconds * float64(time.Second))))
	if err := os.WriteFile(path, content, 0o644); err != nil {
		return nil, err
	}
	digest := sha256.Sum256(content)
	if part := m.number("understate"); part > 0 {
		seconds *= part
	}
	commit := seconds * m.number("commit")
	metrics := map[string]any{
		"prove_seconds": seconds, "stage_commit_seconds": commit, "stage_other_seconds": seconds - commit,
		"peak_host_bytes": 1 << 20,
	}
	if device > 0 {
		metrics["device_commit_seconds"] = device
	}
	if rate := m.number("rate"); rate > 0 {
		metrics["proofs_per_second"] = rate / seconds
	}
	if m.faulty("claims") {
		maps.Copy(metrics, map[string]any{
			"cpu_seconds":   1e6,
			"energy_joules": 1e-6,
			"max_rss_bytes": 1,
			"instructions":  1,
			"wall_seconds":  1e-6,
			"proof_bytes":   1,
		})
	}
	fallbacks := m.number("fallbacks")
	if m.faulty("fallback") {
		fallbacks++
	}
	counters := map[string]any{"fallbacks": fallbacks}
	if cells := m.number("cells"); cells > 0 {
		counters["cells"] = cells
	}
	event := map[string]any{"metrics": metrics, "counters": counters,
		"proof_bytes": len(content), "proof_sha256": hex.EncodeToString(digest[:])}
	m.claim(event, seed)
	return event, nil
}

// sleepUntil sleeps until a time, precisely: a late end would be a difference between models.
func sleepUntil(moment time.Time) {
	sleep(time.Until(moment) - late)
	for time.Now().Before(moment) {
	}
}

// verify accepts only proofs that prove wrote in the same format, and for the given statement.
func (m *model) verify(path, statement, exact string, stderr io.Writer) int {
	content, err := os.ReadFile(path)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 2
	}
	digest := sha256.Sum256(content)
	refused := m.refuse(string(content), statement, exact)
	fmt.Fprintf(stderr, "verify %x statement=%s exact=%s: %q\n", digest, statement, exact, refused)
	if refused == "" || m.values["verifier"] == "weak" {
		return 0
	}
	fmt.Fprintln(stderr, "invalid: "+refused)
	return 1
}

// refuse says why a proof is invalid; empty if it is valid.
func (m *model) refuse(content, statement, exact string) string {
	body, sum, _ := strings.Cut(content, "\n")
	want := sha256.Sum256([]byte(body + "\n"))
	fields := map[string]string{}
	for _, word := range strings.Fields(body) {
		key, value, _ := strings.Cut(word, "=")
		fields[key] = value
	}
	switch {
	case fields["format"] != m.values["format"]:
		return "unknown proof format"
	case strings.TrimSpace(sum) != hex.EncodeToString(want[:]):
		return "the checksum does not match"
	case m.values["verifier"] == "halved":
	case statement != "" && statement != fields["statement"]:
		return "the proof is of another statement"
	case exact != "" && exact != fields["exact"] && exact != fields["statement"]:
		return "the proof is of another exact statement"
	}
	return ""
}

// process makes one proof and, if its path is given, a metrics file.
func (m *model) process(seed uint64, proof, metrics string, stderr io.Writer) int {
	if code, stop := m.misbehaveAlone(stderr); stop {
		return code
	}
	const kept = "first.proof"
	if m.values["fault"] == "replay" {
		m.first, _ = os.ReadFile(kept) // nil for the first proof
	}
	event, err := m.prove(seed, proof)
	if err == nil && m.values["fault"] == "replay" {
		err = os.WriteFile(kept, m.first, 0o644)
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	if metrics == "" {
		return 0
	}
	if m.values["fault"] == "overstate" {
		event["metrics"].(map[string]any)["prove_seconds"] = 3600.0
	}
	if m.faulty("nometrics") {
		delete(event["metrics"].(map[string]any), "prove_seconds")
	}
	m.ready(event)
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

// ready adds the prover's claim about all its proofs.
func (m *model) ready(event map[string]any) {
	if m.values["says"] != "none" {
		event["statement"], event["security_bits"] = statement(m.values["says"]), m.number("bits")
	}
}

// session serves requests until the exit request.
func (m *model) session(stdin io.Reader, stdout, stderr io.Writer) int {
	fmt.Fprintln(stderr, "fakeprover: starting")
	ready := map[string]any{
		"schema":        "chiasmus.session/1",
		"event":         "ready",
		"backend":       "fake",
		"device":        "none",
		"setup_seconds": 0.001,
	}
	optional := m.number("hashoptional") > 0
	if optional {
		ready["hash_optional"] = true
	}
	m.ready(ready)
	const started = "started"
	if _, err := os.Stat(started); err == nil && m.values["fault"] == "restated" {
		ready["statement"] = statement("another")
	}
	if m.values["fault"] == "restated" {
		_ = os.WriteFile(started, nil, 0o644)
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
	m.wait()
	m.onSignal()
	var seen copies
	for scanner.Scan() {
		var r struct {
			Op    string
			ID    int64
			Seed  uint64
			Proof string
			Hash  *bool
		}
		if err := json.Unmarshal(scanner.Bytes(), &r); err != nil {
			fmt.Fprintln(stderr, "bad request:", err)
			return 1
		}
		if r.Op == "prove" && (r.Hash != nil) != optional {
			fmt.Fprintf(stderr, "bad request: hash is there: %v, announced: %v\n", r.Hash != nil, optional)
			return 1
		}
		switch r.Op {
		case "exit":
			if m.values["fault"] == "badexit" {
				return 4
			}
			return 0
		case "prove":
			m.busy.Store(true)
			switch m.values["fault"] {
			case "copy":
				seen.watch(filepath.Join(filepath.Dir(filepath.Dir(r.Proof)), "base"))
				m.copied = seen.of(strconv.FormatUint(r.Seed, 10))
			case "stop":
				m.stopOthers()
			}
			event, err := m.prove(r.Seed, r.Proof)
			m.busy.Store(false)
			if err != nil {
				fmt.Fprintln(stderr, err)
				return 1
			}
			event["event"], event["id"], event["ok"] = "proof", r.ID, true
			if optional && !*r.Hash {
				delete(event, "proof_sha256")
			}
			if code, stop := m.misbehave(event, r.Proof, stdout, stderr); stop {
				return code
			}
			if out.Encode(event) != nil {
				return 1
			}
			m.linger()
		}
	}
	if err := scanner.Err(); err != nil {
		fmt.Fprintln(stderr, "read requests:", err)
		return 1
	}
	return 0
}
