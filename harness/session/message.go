package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
)

// schema is the version of the session contract.
const schema = "chiasmus.session/1"

// PrimarySeconds is the metric that every proof has.
const PrimarySeconds = "prove_seconds"

// Ready is what a session reports once it can prove.
type Ready struct {
	Backend      string  `json:"backend"`
	Device       string  `json:"device"`
	SetupSeconds float64 `json:"setup_seconds"`
	// HashOptional announces that a request may say "hash":false. The reply then lacks proof_sha256, and comes sooner.
	HashOptional bool `json:"hash_optional"`
	Claim
}

// A Claim is what a prover reports about the claim of its proofs.
type Claim struct {
	// Statement is the hexadecimal SHA-256 of the claim. It is empty if the prover does not report it.
	Statement string `json:"statement"`
	// SecurityBits is 0 if the prover does not report it.
	SecurityBits int `json:"security_bits"`
}

// request is one line to the child.
type request struct {
	Op    string `json:"op"`
	ID    int64  `json:"id"`
	Seed  uint64 `json:"seed"`
	Proof string `json:"proof"`
	Hash  *bool  `json:"hash,omitempty"` // false, or nil if the session does not know the key
}

// exitLine asks the child to exit.
const exitLine = `{"op":"exit"}` + "\n"

// measurements are the numbers of one proof, in an event or in a metrics file. A null is decoded as a nil pointer.
type measurements struct {
	Metrics  map[string]*float64 `json:"metrics"`
	Counters map[string]*float64 `json:"counters"`
}

// reply is one line from the child.
type reply struct {
	measurements
	Event       string `json:"event"`
	ID          *int64 `json:"id"`
	OK          *bool  `json:"ok"`
	Error       string `json:"error"`
	ProofBytes  *int64 `json:"proof_bytes"`
	ProofSHA256 string `json:"proof_sha256"`
	// ExactStatement is the digest of this proof's claim, including public values.
	ExactStatement string `json:"exact_statement"`
}

// metricsFile is the content of a process's metrics file.
type metricsFile struct {
	measurements
	Claim
	ExactStatement string `json:"exact_statement"`
}

var statementPattern = regexp.MustCompile(`^[0-9a-f]{64}$`)

// parseReady parses the first line of a session.
func parseReady(line []byte) (Ready, error) {
	var message struct {
		Schema string `json:"schema"`
		Event  string `json:"event"`
		Ready
	}
	if err := decodeObject(line, &message); err != nil {
		return Ready{}, err
	}
	r := message.Ready
	switch {
	case message.Event != "ready":
		return Ready{}, fmt.Errorf(`event %q where "ready" must come first`, message.Event)
	case message.Schema != schema:
		return Ready{}, fmt.Errorf("schema %q: this harness speaks %s", message.Schema, schema)
	}
	return r, r.Claim.check()
}

// check returns an error if the claim is malformed.
func (c Claim) check() error {
	if c.SecurityBits < 0 {
		return fmt.Errorf("security_bits %d: want 0 or more", c.SecurityBits)
	}
	return checkStatement("statement", c.Statement)
}

func checkStatement(name, statement string) error {
	if statement != "" && !statementPattern.MatchString(statement) {
		return fmt.Errorf("%s %q: want 64 hexadecimal digits in lower case", name, statement)
	}
	return nil
}

// parseProof parses the reply to the request with that id.
func parseProof(line []byte, id int64) (reply, error) {
	var r reply
	if err := decodeObject(line, &r); err != nil {
		return r, err
	}
	switch {
	case r.Event != "proof":
		return r, fmt.Errorf(`event %q where "proof" was asked for`, r.Event)
	case r.ID == nil:
		return r, errors.New("no id")
	case *r.ID != id:
		return r, fmt.Errorf("answers request %d, not %d", *r.ID, id)
	case r.OK == nil:
		return r, errors.New("no ok")
	case !*r.OK && r.Error == "":
		return r, errors.New("ok is false, and no error is given")
	case !*r.OK:
		return r, nil
	case r.Metrics[PrimarySeconds] == nil:
		return r, errors.New("no metrics." + PrimarySeconds)
	}
	return r, errors.Join(r.check(), checkStatement("exact_statement", r.ExactStatement))
}

// check returns an error if a number cannot be a measurement.
func (m measurements) check() error {
	for _, group := range []struct {
		name   string
		values map[string]*float64
	}{{"metrics", m.Metrics}, {"counters", m.Counters}} {
		for name, value := range group.values {
			switch {
			case value == nil:
				return fmt.Errorf("%s.%s is null: omit the key instead", group.name, name)
			case math.IsInf(*value, 0):
				return fmt.Errorf("%s.%s is infinite", group.name, name)
			case *value < 0 && hasUnit(name):
				return fmt.Errorf("%s.%s is %g: a quantity in %s is never below 0", group.name, name, *value,
					name[strings.LastIndexByte(name, '_')+1:])
			}
		}
	}
	if seconds := m.Metrics[PrimarySeconds]; seconds != nil && *seconds == 0 {
		return errors.New("metrics." + PrimarySeconds + " is 0: no proof takes no time")
	}
	return nil
}

// hasUnit reports whether a name ends in one of the contract's units.
func hasUnit(name string) bool {
	return slices.ContainsFunc([]string{"_seconds", "_bytes", "_joules"}, func(unit string) bool {
		return strings.HasSuffix(name, unit)
	})
}

// values drops the pointers, none of which is nil after check.
func values(m map[string]*float64) map[string]float64 {
	out := make(map[string]float64, len(m))
	for name, value := range m {
		out[name] = *value
	}
	return out
}

// decodeObject decodes exactly one JSON object.
func decodeObject(line []byte, into any) error {
	line = bytes.TrimSpace(line)
	if len(line) == 0 || line[0] != '{' {
		return fmt.Errorf("%s is not a JSON object", excerpt(line))
	}
	err := json.Unmarshal(line, into)
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong):
		return fmt.Errorf("%s: %s cannot hold %s", excerpt(line), strings.TrimPrefix(wrong.Field, "measurements."),
			wrong.Value)
	case err != nil:
		return fmt.Errorf("%s does not parse: %w", excerpt(line), err)
	}
	if err := checkUnique(line); err != nil {
		return fmt.Errorf("%s: %w", excerpt(line), err)
	}
	return nil
}

// excerpt quotes the beginning of a line.
func excerpt(line []byte) string {
	const most = 120
	if len(line) > most {
		return fmt.Sprintf("%q and %d bytes more", line[:most], len(line)-most)
	}
	return fmt.Sprintf("%q", line)
}
