// Package fakeprover is a prover for the tests of the harness: it proves nothing, sleeps for times drawn from a seeded
// model and reports these, so that a slow head is slow by exactly as much as the test says, on any machine.
//
// A model is a text file of key=value lines, part of the test's repository and so different between its revisions:
//
//	seconds=0.005    the mean time of a proof
//	noise=0.01       standard deviation of its logarithm, drawn from the request's seed and the salt
//	salt=head        tells the noise of two models apart
//	spike=5          the proof of this number, counted in a session, takes eight times as long
//	cold=8           proofs of a session that take longer, each by as much less than the one before, as chill says
//	chill=5          percent
//	stall=20         percent by which every second proof takes longer, as a prover that stalls by itself
//	slowed=FILE      proofs take longer by the percentage in this file, where there is one, as on a host that is apart
//	device=0.001     seconds of stage_commit_seconds that a device takes besides; they repeat within 0.02 percent
//	cells=1000       a counter
//	commit=0.5       share of the stage stage_commit_seconds
//	rate=5           a metric proofs_per_second, better higher: rate divided by the time
//	understate=0.5   part of the time that is reported; the proof takes all of it
//	format=1         version of the proof format; a verifier refuses any other
//	statement=claim  what is proven, of each seed; it is hashed into proofs and claims
//	says=claim       what it says is proven (default: what is); "none" leaves out both statements and security_bits
//	exact=none       leaves exact_statement out; "honest" tells of each proof what is proven, whatever it says of all
//	input=fixed      the seed does not count: all proofs are of one statement
//	verifier=weak    the verifier accepts every proof; "halved" every one that has a checksum, whatever it proves
//	bits=128         security_bits
//	fallbacks=0      a counter
//	fault=NAME       misbehave, see faults.go
//	at=3             from this request on (default 1), counted in a session
//	spin=2           processors that a session keeps busy while it waits
//	linger=20ms      processor time that a session takes after each reply
//
// Its proofs hold seed, statements and a checksum, so that the verifier has something to verify. The verifier logs each
// call: the hash of the proof, what it was told, and what it said.
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
	"syscall"
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
	statement := flags.String("statement", "", "statement that a proof must be of")
	exact := flags.String("exact", "", "statement, of its seed or of all, that a proof must be of")
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
	proofs int // made so far
	busy   atomic.Bool
	first  []byte // the first proof
	copied []byte // of somebody else, of the seed that is asked for

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

// seconds draws the time of a proof.
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

// noise is drawn from the salt and the seed of a proof, for each purpose anew.
func (m *model) noise(purpose string, seed uint64) float64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s/%d%s", m.values["salt"], seed, purpose))
	return rand.New(rand.NewPCG(binary.LittleEndian.Uint64(sum[:]), 1)).NormFloat64()
}

// statement is the digest of a text, and exact the one of a text and a seed.
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

// claim adds what the prover says of a proof.
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
	begun := time.Now()
	m.proofs++
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

// sleepUntil sleeps to the moment: a sleep alone ends at a whole millisecond, which would be a difference between
// models.
func sleepUntil(moment time.Time) {
	time.Sleep(time.Until(moment) - 2*time.Millisecond)
	for time.Now().Before(moment) {
	}
}

// verify accepts only what prove wrote in the same format, and for the statement it is given.
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

// refuse says what is wrong with a proof, nothing where it is valid.
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

// process makes one proof, with a metrics file where one is asked for.
func (m *model) process(seed uint64, proof, metrics string, stderr io.Writer) int {
	if code, stop := m.misbehaveAlone(stderr); stop {
		return code
	}
	const kept = "first.proof"
	if m.values["fault"] == "replay" {
		m.first, _ = os.ReadFile(kept) // nil before the first
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

// ready adds what the prover says of all its proofs.
func (m *model) ready(event map[string]any) {
	if m.values["says"] != "none" {
		event["statement"], event["security_bits"] = statement(m.values["says"]), m.number("bits")
	}
}

// wait keeps processors busy while nothing is asked.
func (m *model) wait() {
	for range int(m.number("spin")) {
		go func() {
			for {
				if m.busy.Load() {
					time.Sleep(50 * time.Microsecond)
				}
			}
		}()
	}
}

// linger takes CPU time after a reply.
func (m *model) linger() {
	d, _ := time.ParseDuration(m.values["linger"])
	for begun := cpuTime(); cpuTime()-begun < d; {
	}
}

// cpuTime is what this process has taken.
func cpuTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err) // of oneself it is always known
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// session answers requests until it is asked to exit.
func (m *model) session(stdin io.Reader, stdout, stderr io.Writer) int {
	fmt.Fprintln(stderr, "fakeprover: starting")
	ready := map[string]any{
		"schema":        "chiasmus.session/1",
		"event":         "ready",
		"backend":       "fake",
		"device":        "none",
		"setup_seconds": 0.001,
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
	var seen copies
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
			if code, stop := m.misbehave(event, r.Proof, stdout, stderr); stop {
				return code
			}
			if out.Encode(event) != nil {
				return 1
			}
			m.linger()
		}
	}
	return 0
}
