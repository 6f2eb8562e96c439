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
		if *r.Op != "exit" && (*r.Op != "prove" || r.Seed == nil || r.Proof == nil || *r.Proof == "") {
			t.Errorf("%q is accepted as %+v", line, r)
		}
	})
}

func TestRequestsAreStrict(t *testing.T) {
	for line, want := range map[string]string{
		``:               "malformed request: the line is empty",
		`7`:              "malformed request: want one JSON object",
		`[]`:             "malformed request: want one JSON object",
		`{}`:             `"op" is missing, want "prove" or "exit"`,
		`{"op":null}`:    `"op" is null, want "prove" or "exit"`,
		`{"op":"prove"`:  "the line ends inside the object",
		`{"op":"prove",`: "the line ends inside the object",
		`{"op"`:          "the line ends inside the object",
		`{7:1}`:          "malformed request: ",
		`{"OP":"prove","id":1,"seed":1,"proof":"p"}`:                       `unknown field "OP", want op, id, seed, proof and hash`,
		`{"op":"prove","op":"exit"}`:                                       `"op" occurs twice`,
		`{"op":"prove","id":1,"id":1,"seed":1,"proof":"p"}`:                `"id" occurs twice`,
		`{"op":"prove","id":9223372036854775808,"seed":1,"proof":"p"}`:     `"id" is 9223372036854775808, want a whole number below 2^63`,
		`{"op":"prove","id":1,"seed":18446744073709551616,"proof":"p"}`:    `"seed" is 18446744073709551616, want a whole number from 0 to 2^64-1`,
		`{"op":"prove","id":1,"seed":-1,"proof":"p"}`:                      `"seed" is -1, want a whole number from 0 to 2^64-1`,
		`{"op":"prove","id":1,"seed":null,"proof":"p"}`:                    `"seed" is null, want`,
		`{"op":"prove","id":1,"seed":1,"proof":""}`:                        `"proof" is "", want where to write the proof`,
		`{"op":"prove","id":1,"seed":"` + strings.Repeat("1", 9999) + `"}`: `11..., want a whole number`,
		`{"op":"prove","id":1,"seed":1,"proof":"p"} x`:                     "more than one JSON value",
		`{"op":"prove","id":1.5,"seed":1,"proof":"p"}`:                     `"id" is 1.5`,
		`{"op":"prove","id":1,"seed":1e3,"proof":"p"}`:                     "seed",
		`{"op":"prove","id":1,"seed":"1","proof":"p"}`:                     "seed",
		`{"op":"prove","id":1,"seed":1,"proof":7}`:                         "proof",
		`{"op":"prove","id":1,"seed":1,"proof":"p","hash":0}`:              `"hash" is 0, want true or false`,
		`{"id":1,"seed":1,"proof":"p"}`:                                    `"op" is missing`,
		`{"op":"prove","seed":1,"proof":"p"}`:                              `"id" is missing`,
		`{"op":"prove","id":null,"seed":1,"proof":"p"}`:                    `"id" is`,
		`{"op":"prove","id":1,"seed":1,"proof":"p","x":1}`:                 `unknown field "x"`,
	} {
		if _, err := parseRequest([]byte(line)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", line, err, want)
		}
	}
	for line, id := range map[string]string{
		`{"op":"dance","id":5}`:            "5",
		`{"id":6} {}`:                      "6",
		`{"id":7,"op":`:                    "7",
		`{"id":8,"sead":1,"op":"prove"}`:   "8",
		`{"op":"prove","id":"x","seed":1}`: `"x"`,
		`{"op":"prove"}`:                   "",
	} {
		if r, err := parseRequest([]byte(line)); err == nil || string(r.ID) != id {
			t.Errorf("%s: id %q with error %v, want %q", line, r.ID, err, id)
		}
	}
	if r, err := parseRequest([]byte(` {"op":"prove","id":-3,"seed":18446744073709551615,"proof":"p"} `)); err != nil ||
		*r.Seed != 1<<64-1 || string(r.ID) != "-3" {
		t.Errorf("a valid request gives %+v, %v", r, err)
	}
}
