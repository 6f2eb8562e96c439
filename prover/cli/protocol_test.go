package cli

import (
	"encoding/json"
	"strings"
	"testing"
)

func FuzzRequest(f *testing.F) {
	f.Add([]byte(`{"op":"prove","id":7,"seed":12345,"proof":"/tmp/p"}`))
	f.Add([]byte(`{"op":"exit"}`))
	f.Add([]byte(`{"op":"prove","id":7,"seed":1,"proof":"p"}{}`))
	f.Add([]byte(`[`))
	f.Fuzz(func(t *testing.T, line []byte) {
		r, err := parseRequest(line)
		reply, marshalling := json.Marshal(failureEvent{Event: "proof", ID: r.ID})
		if marshalling != nil || !json.Valid(reply) {
			t.Errorf("the reply to %q is no JSON: %v", line, marshalling)
		}
		if err != nil {
			return
		}
		if r.Op != "exit" && (r.Op != "prove" || r.Seed == nil || r.Proof == "") {
			t.Errorf("%q is accepted as %+v", line, r)
		}
	})
}

func TestRequestsAreStrict(t *testing.T) {
	for line, want := range map[string]string{
		``:  "malformed request",
		`7`: "malformed request",
		`{"op":"prove","id":1,"seed":1,"proof":"p"} x`:     "more than one JSON value",
		`{"op":"prove","id":1.5,"seed":1,"proof":"p"}`:     `"id" is 1.5`,
		`{"op":"prove","id":1,"seed":1e3,"proof":"p"}`:     "seed",
		`{"op":"prove","id":1,"seed":"1","proof":"p"}`:     "seed",
		`{"op":"prove","id":1,"seed":1,"proof":7}`:         "proof",
		`{"id":1,"seed":1,"proof":"p"}`:                    `"op" is missing`,
		`{"op":"prove","seed":1,"proof":"p"}`:              `"id" is missing`,
		`{"op":"prove","id":null,"seed":1,"proof":"p"}`:    `"id" is`,
		`{"op":"prove","id":1,"seed":1,"proof":"p","x":1}`: `unknown field "x"`,
	} {
		if _, err := parseRequest([]byte(line)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", line, err, want)
		}
	}
	if r, err := parseRequest([]byte(` {"op":"prove","id":-3,"seed":18446744073709551615,"proof":"p"} `)); err != nil || *r.Seed != 1<<64-1 || string(r.ID) != "-3" {
		t.Errorf("a valid request gives %+v, %v", r, err)
	}
}
