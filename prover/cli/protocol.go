package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// sessionSchema names the version of the session protocol.
const sessionSchema = "chiasmus.session/1"

// readyEvent is a session's first line.
type readyEvent struct {
	Schema       string  `json:"schema"`
	Event        string  `json:"event"` // "ready"
	Backend      string  `json:"backend"`
	Device       string  `json:"device"`
	SetupSeconds float64 `json:"setup_seconds"`
	// HashOptional announces that a request may have "hash":false.
	HashOptional bool   `json:"hash_optional"` // true
	Statement    string `json:"statement"`
	SecurityBits int    `json:"security_bits"`
}

// proofEvent answers a prove request that succeeded.
type proofEvent struct {
	Event string          `json:"event"` // "proof"
	ID    json.RawMessage `json:"id"`
	OK    bool            `json:"ok"` // true
	measurements
	// ExactStatement is the digest of this proof's claim, public values included. readyEvent.Statement may be its class
	// form.
	ExactStatement string `json:"exact_statement"`
	ProofBytes     int    `json:"proof_bytes"`
	// ProofSHA256 is empty if the request had "hash":false.
	ProofSHA256 string `json:"proof_sha256,omitempty"`
}

// failureEvent answers a request that failed. ID is null if the request's id could not be read.
type failureEvent struct {
	Event string          `json:"event"` // "proof"
	ID    json.RawMessage `json:"id"`
	OK    bool            `json:"ok"` // false
	Error string          `json:"error"`
}

// request is one line on stdin. A field is nil if the line lacks it.
type request struct {
	Op    *string         // "prove" or "exit"
	ID    json.RawMessage // verbatim
	Seed  *uint64
	Proof *string
	Hash  *bool // optional; if false, the reply omits proof_sha256
}

// maxRequest bounds a line on stdin. A path and a seed take far less.
const maxRequest = 1 << 20

// parseRequest parses a line strictly: unknown fields are errors. If the request's id can be read, it is returned
// even with an error.
func parseRequest(line []byte) (r request, err error) {
	fields, err := parseObject(line)
	r.ID = fields["id"]
	if err == nil {
		err = r.fill(fields)
	}
	if err != nil {
		return r, fmt.Errorf("malformed request: %w", err)
	}
	return r, nil
}

// parseObject reads one JSON object, each key once, and nothing after it. With an error it returns the fields read so
// far.
func parseObject(line []byte) (map[string]json.RawMessage, error) {
	fields := map[string]json.RawMessage{}
	decoder := json.NewDecoder(bytes.NewReader(line))
	start, err := decoder.Token()
	switch {
	case err == io.EOF:
		return fields, errors.New("the line is empty, want one JSON object")
	case err != nil:
		return fields, err
	case start != json.Delim('{'):
		return fields, errors.New("want one JSON object")
	}
	var repeated error
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return fields, incomplete(err)
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return fields, incomplete(err)
		}
		name, _ := key.(string) // a decoder accepts only string keys
		if _, known := fields[name]; known && repeated == nil {
			repeated = fmt.Errorf("%q occurs twice", name)
		}
		fields[name] = value
	}
	if _, err := decoder.Token(); err != nil {
		return fields, incomplete(err)
	}
	if _, trailing := decoder.Token(); trailing != io.EOF {
		return fields, errors.New("more than one JSON value on the line")
	}
	return fields, repeated
}

func incomplete(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return errors.New("the line ends inside the object")
	}
	return err
}

// fill sets the request's fields, and reports the first invalid one.
func (r *request) fill(fields map[string]json.RawMessage) error {
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if !slices.Contains([]string{"op", "id", "seed", "proof", "hash"}, name) {
			return fmt.Errorf("unknown field %q, want op, id, seed, proof and hash", name)
		}
	}
	const wantOp = `want "prove" or "exit"`
	if err := decodeField(fields, "op", &r.Op, wantOp); err != nil {
		return err
	}
	switch *r.Op {
	case "exit":
		return nil
	case "prove":
	default:
		return fmt.Errorf("op %q, "+wantOp, *r.Op)
	}
	var id *int64
	return cmp.Or(
		decodeField(fields, "id", &id, "want a whole number below 2^63"),
		decodeField(fields, "seed", &r.Seed, "want a whole number from 0 to 2^64-1"),
		decodeField(fields, "proof", &r.Proof, "want where to write the proof"),
		decodeOptional(fields, "hash", &r.Hash, "want true or false"),
	)
}

// decodeField decodes one field, which must be present and neither null nor an empty string.
func decodeField[T any](fields map[string]json.RawMessage, name string, into **T, want string) error {
	raw, ok := fields[name]
	if !ok {
		return fmt.Errorf("%q is missing, %s", name, want)
	}
	if json.Unmarshal(raw, into) != nil || *into == nil || string(raw) == `""` {
		return fmt.Errorf("%q is %s, %s", name, shortened(raw), want)
	}
	return nil
}

// decodeOptional decodes one field if the request has it.
func decodeOptional[T any](fields map[string]json.RawMessage, name string, into **T, want string) error {
	if _, ok := fields[name]; !ok {
		return nil
	}
	return decodeField(fields, name, into, want)
}

// hashed reports whether the reply includes the proof's SHA-256.
func (r *request) hashed() bool { return r.Hash == nil || *r.Hash }

// shortened limits the length of a value in an error.
func shortened(raw json.RawMessage) string {
	const most = 80
	if len(raw) > most {
		return strings.ToValidUTF8(string(raw[:most]), "") + "..."
	}
	return string(raw)
}

// send writes one protocol line.
func (p *program) send(event any) error {
	line, err := json.Marshal(event)
	if err != nil {
		return err
	}
	_, err = p.stdout.Write(append(line, '\n'))
	return err
}
