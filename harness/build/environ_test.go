package build

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// A build receives the variables that toolchains read and the variables passed to it. Only the former are part of the
// key.
func TestWhatABuildSees(t *testing.T) {
	caller := []string{
		"RUSTFLAGS=-C opt-level=1", "GOFLAGS=-trimpath", "CARGO_REGISTRY_TOKEN=secret", "HOME=/home/me", "TERM=xterm",
		"SSH_AUTH_SOCK=/run/agent", "https_proxy=http://proxy", "COUNTER=7", "EDITOR=vi", "GIT_DIR=/elsewhere",
		"CARGO_NET_GIT_FETCH_WITH_CLI=true", "MINE_A=1", "MINE_B=2",
		"LC_ALL=C", "MAKEFLAGS=-j8", "C_INCLUDE_PATH=/opt/include",
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=url./copy.insteadOf", "GIT_CONFIG_VALUE_0=https://example.com/dep",
	}
	all, keyed := seen(caller, false, []string{"MINE_*"})
	wantKeyed := []string{"C_INCLUDE_PATH=/opt/include", "GOFLAGS=-trimpath", "LC_ALL=C", "MAKEFLAGS=-j8", "MINE_A=1",
		"MINE_B=2", "RUSTFLAGS=-C opt-level=1"}
	if !slices.Equal(keyed, wantKeyed) {
		t.Errorf("keyed %q, want %q", keyed, wantKeyed)
	}
	wantPassed := []string{"CARGO_NET_GIT_FETCH_WITH_CLI=true", "CARGO_REGISTRY_TOKEN=secret", "GIT_CONFIG_COUNT=1",
		"GIT_CONFIG_KEY_0=url./copy.insteadOf", "GIT_CONFIG_VALUE_0=https://example.com/dep", "HOME=/home/me",
		"SSH_AUTH_SOCK=/run/agent",
		"https_proxy=http://proxy", "TERM=dumb"}
	for _, pair := range wantPassed {
		if !slices.Contains(all, pair) {
			t.Errorf("%s is not passed: %q", pair, all)
		}
	}
	if len(all) != len(wantKeyed)+len(wantPassed) {
		t.Errorf("%d variables are seen, want %d: %q", len(all), len(wantKeyed)+len(wantPassed), all)
	}
	for _, make := range [][]string{{"MAKELEVEL=1", "MAKEFLAGS=-j8"}, {"MAKEFLAGS=--jobserver-auth=3,4"}} {
		if all, _ := seen(make, false, nil); len(all) != 1 {
			t.Errorf("of another make is seen: %q", all)
		}
	}
	// Isolated programs have a home of their own, and no credentials.
	all, keyed = seen(caller, true, nil)
	if text := strings.Join(all, " "); strings.Contains(text, "HOME=") || strings.Contains(text, "secret") ||
		!slices.Contains(keyed, "GOFLAGS=-trimpath") || !slices.Contains(all, "TERM=dumb") {
		t.Errorf("isolated, %q is seen and %q keyed", all, keyed)
	}
}

// A variable that no toolchain reads neither triggers a build nor reaches it. A variable that a toolchain reads
// triggers a build, and is named as the reason.
func TestAMissSaysWhatChanged(t *testing.T) {
	f := newFixture(t)
	rev := f.commit(`mkdir -p bin; echo "$RUSTFLAGS|$COUNTER|$SSH_AUTH_SOCK|$TERM|$MINE" >bin/prover`)
	t.Setenv("RUSTFLAGS", "one")
	t.Setenv("SSH_AUTH_SOCK", "agent")
	build := func(change func(*Request)) (*Result, string, string) {
		var log bytes.Buffer
		told := ""
		req := f.request(rev)
		req.Log, req.Missed = &log, func(why string) { told = why }
		change(&req)
		r := f.build(req)
		return r, told, log.String()
	}
	same := func(*Request) {}
	if r, told, _ := build(same); r.Cached || told != "" || f.content(r) != "one||agent|dumb|" {
		t.Fatalf("the first build: cached %v, told %q, content %q", r.Cached, told, f.content(r))
	}
	for _, name := range []string{"COUNTER", "TERM", "SSH_AUTH_SOCK", "MINE"} {
		t.Setenv(name, "another")
		if r, told, _ := build(same); !r.Cached || told != "" {
			t.Errorf("another %s builds again: %q", name, told)
		}
	}
	t.Setenv("RUSTFLAGS", "two")
	short := rev.SHA[:7]
	want := "RUSTFLAGS changed since the cached build of " + short
	if r, told, log := build(same); r.Cached || told != want || !strings.Contains(log, want) ||
		f.content(r) != "two||another|dumb|" {
		t.Errorf("cached %v, told %q, content %q, log %q", r.Cached, told, f.content(r), log)
	}
	pass := func(req *Request) { req.Build.EnvPass = []string{"MINE"} }
	if r, told, _ := build(pass); r.Cached || !strings.Contains(told, "MINE") ||
		!strings.Contains(told, "build.env_pass") || strings.Contains(told, "RUSTFLAGS") ||
		f.content(r) != "two||another|dumb|another" {
		t.Errorf("cached %v, told %q, want what differs from the nearest build; content %q", r.Cached, told, f.content(r))
	}
	// Another revision has no cached build to compare with.
	rev = f.commit("mkdir -p bin; echo other >bin/prover")
	if r, told, _ := build(same); r.Cached || told != "" {
		t.Errorf("another revision: cached %v, told %q", r.Cached, told)
	}
}
