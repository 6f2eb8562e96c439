package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// sessionSchema names the session contract.
const sessionSchema = "chiasmus.session/1"

// readyEvent is a session's first line.
type readyEvent struct {
	Schema       string  `json:"schema"`
	Event        string  `json:"event"` // "ready"
	Backend      string  `json:"backend"`
	Device       string  `json:"device"`
	SetupSeconds float64 `json:"setup_seconds"`
	Statement    string  `json:"statement"`
	SecurityBits int     `json:"security_bits"`
}

// proofEvent answers one prove request that was done.
type proofEvent struct {
	Event string          `json:"event"` // "proof"
	ID    json.RawMessage `json:"id"`
	OK    bool            `json:"ok"` // true
	measurements
	ProofBytes  int    `json:"proof_bytes"`
	ProofSHA256 string `json:"proof_sha256"`
}

// failureEvent answers a request that was not done. ID is null where the request had none that
// could be read.
type failureEvent struct {
	Event string          `json:"event"` // "proof"
	ID    json.RawMessage `json:"id"`
	OK    bool            `json:"ok"` // false
	Error string          `json:"error"`
}

// request is one line on stdin.
type request struct {
	Op    string          `json:"op"` // "prove" or "exit"
	ID    json.RawMessage `json:"id"`
	Seed  *uint64         `json:"seed"`
	Proof string          `json:"proof"`
}

// maxRequest bounds a line on stdin. A path and a seed take far less.
const maxRequest = 1 << 20

// parseRequest reads a line strictly: what it does not know it does not ignore. The request's id is
// returned with the error where it can be read.
func parseRequest(line []byte) (request, error) {
	var r request
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(&r)
	if err == nil {
		if _, trailing := decoder.Token(); trailing != io.EOF {
			err = errors.New("more than one JSON value on the line")
		}
	}
	if err != nil {
		var lenient struct{ ID json.RawMessage }
		_ = json.Unmarshal(line, &lenient) // only for the id
		return request{ID: lenient.ID}, fmt.Errorf("malformed request: %w", err)
	}
	switch r.Op {
	case "exit":
		return r, nil
	case "prove":
	case "":
		return r, errors.New(`malformed request: "op" is missing, want "prove" or "exit"`)
	default:
		return r, fmt.Errorf(`malformed request: op %q, want "prove" or "exit"`, r.Op)
	}
	var id *int64
	if r.ID == nil || json.Unmarshal(r.ID, &id) != nil || id == nil {
		return r, fmt.Errorf(`malformed request: "id" is %s, want an integer`, orMissing(r.ID))
	}
	if r.Seed == nil {
		return r, errors.New(`malformed request: "seed" is missing`)
	}
	if r.Proof == "" {
		return r, errors.New(`malformed request: "proof" is missing: where to write the proof`)
	}
	return r, nil
}

func orMissing(raw json.RawMessage) string {
	if raw == nil {
		return "missing"
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
