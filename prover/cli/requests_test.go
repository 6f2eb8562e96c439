package cli

import (
	"context"
	"os"
	"strings"
	"testing"
)

// A request with an unexpected field is rejected, even if all required fields are present.
func TestWholeRequestsAreStrict(t *testing.T) {
	for line, want := range map[string]string{
		`{"op":"prove","id":1,"seed":1,"proof":"p","size":4}`:        `unknown field "size"`,
		`{"op":"prove","id":1,"seed":1,"proof":"p","statement":"x"}`: `unknown field "statement"`,
		`{"op":"prove","id":1,"seed":1,"seed":2,"proof":"p"}`:        `"seed" occurs twice`,
		`{"op":"prove","id":1,"seed":1,"proof":"p","proof":"q"}`:     `"proof" occurs twice`,
		`{"op":"verify","id":1,"seed":1,"proof":"p"}`:                `op "verify", want "prove" or "exit"`,
		`{"op":"Prove","id":1,"seed":1,"proof":"p"}`:                 `op "Prove", want`,
		`{"op":"prove","id":1,"seed":1,"proof":"p"}{"op":"exit"}`:    "more than one JSON value",
		`{"op":"prove","id":1,"seed":1,"proof":"p"}` + "\x00":        "more than one JSON value",
	} {
		if _, err := parseRequest([]byte(line)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", line, err, want)
		}
	}
}

// The first signal ends a session after the current proof, the second cancels the proof.
func TestSecondSignalCancels(t *testing.T) {
	for sent := range 4 {
		signals := make(chan os.Signal) // unbuffered: a signal that was received has been seen
		ctx, cancel := context.WithCancelCause(context.Background())
		interrupted := watchSignals(signals, cancel)
		for range sent {
			signals <- os.Interrupt
		}
		if seen := interrupted(); seen != (sent > 0) {
			t.Errorf("%d signals: seen %v", sent, seen)
		}
		if cancelled := ctx.Err() != nil; cancelled != (sent > 1) {
			t.Errorf("%d signals: cancelled %v", sent, cancelled)
		}
		cancel(nil)
	}
}
