package session

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Errors of a reply use the contract's terms.
func TestRepliesOfTheWrongType(t *testing.T) {
	for line, want := range map[string]string{
		`{"event":"proof","id":"1","ok":true}`:                                   "id cannot hold string",
		`{"event":"proof","id":1,"ok":"yes"}`:                                    "ok cannot hold string",
		`{"event":"proof","id":1,"ok":true,"metrics":{"prove_seconds":1e999}}`:   "metrics cannot hold number 1e999",
		`{"event":"proof","id":1,"ok":true,"metrics":[1]}`:                       "metrics cannot hold array",
		`{"event":"proof","id":1,"ok":true,"metrics":{"prove_seconds":NaN}}`:     "does not parse",
		`{"event":"proof","id":1,"ok":true,"metrics":{"prove_seconds":1}} extra`: "does not parse",
		`[1]`:                                 "is not a JSON object",
		``:                                    "is not a JSON object",
		`{"event":"ready","id":1}`:            `event "ready" where "proof" was asked for`,
		`{"event":"proof","id":2,"ok":true}`:  "answers request 2, not 1",
		`{"event":"proof","id":1}`:            "no ok",
		`{"event":"proof","id":1,"ok":false}`: "no error is given",
		`{"event":"proof","id":1,"ok":true,"metrics":{"prove_seconds":1,"a_bytes":-1}}`:                       `a_bytes is -1: a quantity in bytes is never below 0`,
		`{"event":"proof","id":1,"ok":true,"metrics":{"prove_seconds":9,"prove_seconds":1}}`:                  `the key "prove_seconds" occurs twice`,
		`{"event":"proof","id":1,"ok":false,"error":"x","ok":true,"metrics":{"prove_seconds":1}}`:             `the key "ok" occurs twice`,
		`{"event":"proof","id":1,"ok":true,"OK":false,"metrics":{"prove_seconds":1}}`:                         `the key "OK" occurs twice`,
		`{"event":"proof","id":1,"ok":true,"metrics":{"prove_seconds":1},"metricſ":{"prove_seconds":2}}`:      `occurs twice`,
		`{"event":"proof","id":1,"ok":true,"metrics":{"prove_seconds":1},"x":[{"a":1},{"a":1,"b":{},"a":2}]}`: `the key "a" occurs twice`,
	} {
		if _, err := parseProof([]byte(line), 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
	if r, err := parseProof([]byte(`{"event":"proof","id":1,"ok":true,"metrics":{"prove_seconds":1,"Prove_seconds":2},"new":["key",{"ok":1}]}`), 1); err != nil || *r.Metrics["prove_seconds"] != 1 {
		t.Errorf("a good reply: %v", err)
	}
}

// A statement is recognized as a digest at any position.
func TestStatements(t *testing.T) {
	digest := strings.Repeat("0f", 32)
	for statement, ok := range map[string]bool{
		digest:                   true,
		"":                       true,
		digest[1:]:               false,
		digest + "0":             false,
		strings.ToUpper(digest):  false,
		strings.Repeat("0g", 32): false,
	} {
		ready, err := parseReady([]byte(`{"schema":"chiasmus.session/1","event":"ready","statement":"` + statement +
			`","security_bits":7}`))
		if (err == nil) != ok || ok && (ready.Statement != statement || ready.SecurityBits != 7) {
			t.Errorf("ready with statement %q: %+v, %v", statement, ready, err)
		}
		r, err := parseProof([]byte(`{"event":"proof","id":1,"ok":true,"metrics":{"prove_seconds":1},"exact_statement":"`+
			statement+`"}`), 1)
		if (err == nil) != ok || ok && r.ExactStatement != statement {
			t.Errorf("proof with exact_statement %q: %v", statement, err)
		}
		for _, key := range []string{"statement", "exact_statement"} {
			path := filepath.Join(t.TempDir(), "metrics.json")
			if err := os.WriteFile(path, []byte(`{"metrics":{},"security_bits":7,"`+key+`":"`+statement+`"}`),
				0o644); err != nil {
				t.Fatal(err)
			}
			read, err := readMetrics(path)
			if (err == nil) != ok || ok &&
				(read.SecurityBits != 7 || key == "statement" && read.Statement != statement ||
					key == "exact_statement" && read.ExactStatement != statement) {
				t.Errorf("metrics file with %s %q: %+v, %v", key, statement, read, err)
			}
		}
	}
	if _, err := parseReady([]byte(`{"schema":"chiasmus.session/1","event":"ready","security_bits":-1}`)); err == nil ||
		!strings.Contains(err.Error(), "security_bits -1") {
		t.Errorf("bits below 0: %v", err)
	}
}

func TestReadyAndMetricsHaveEachKeyOnce(t *testing.T) {
	if _, err := parseReady([]byte(`{"schema":"chiasmus.session/1","event":"ready","security_bits":100,"security_bits":128}`)); err == nil || !strings.Contains(err.Error(), `"security_bits" occurs twice`) {
		t.Errorf("ready: %v", err)
	}
	path := filepath.Join(t.TempDir(), "metrics.json")
	if err := os.WriteFile(path, []byte(`{"metrics":{"prove_seconds":9},"counters":{},"metrics":{"prove_seconds":1}}`),
		0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := readMetrics(path); err == nil || !strings.Contains(err.Error(), `"metrics" occurs twice`) {
		t.Errorf("metrics file: %v", err)
	}
}

// Quotations have up to 120 bytes and report the number of omitted bytes.
func TestExcerpt(t *testing.T) {
	whole := strings.Repeat("x", 120)
	if got := excerpt([]byte(whole)); got != `"`+whole+`"` {
		t.Errorf("120 bytes: %s", got)
	}
	if got := excerpt([]byte(whole + "yz")); got != `"`+whole+`" and 2 bytes more` {
		t.Errorf("122 bytes: %s", got)
	}
}
