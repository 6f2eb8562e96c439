package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/chiasmus/chiasmus/harness/cli"
	"github.com/chiasmus/chiasmus/harness/fleet"
)

// A program is found on PATH. If it is missing, the error says how to install it.
func TestProgramBesides(t *testing.T) {
	folder := t.TempDir()
	const name = "harness-of-a-test"
	_, err := cli.Besides(name)
	advice := "go install github.com/chiasmus/chiasmus/harness/cmd/" + name + "@latest"
	if err == nil || !strings.Contains(err.Error(), advice) {
		t.Errorf("a program that is not there: %v", err)
	}
	want := filepath.Join(folder, name)
	if err := os.WriteFile(want, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", folder)
	if path, err := cli.Besides(name); err != nil || path != want {
		t.Errorf("%s, %v: want %s", path, err, want)
	}
}

// The flags of harness fleet serve arrive at the server's program.
func TestServerSettingsTravel(t *testing.T) {
	parse := func(args ...string) (s fleet.ServerSettings) {
		s = fleet.DefaultServerSettings()
		flags := pflag.NewFlagSet("", pflag.ContinueOnError)
		s.Register(flags)
		if err := flags.Parse(args); err != nil {
			t.Fatal(err)
		}
		return s
	}
	said := parse("--store", "a b", "--label", "x,y", "--listen", "127.0.0.1:0", "--tls-cert=c", "--tls-key", "-k",
		"--presence", "7s")
	got := parse(said.Arguments()...)
	if got.Store != "a b" || strings.Join(got.Labels, " ") != "x y" || got.Listen != "127.0.0.1:0" ||
		got.Certificate != "c" || got.Key != "-k" || got.Limits != said.Limits || got.Limits.Presence.Seconds() != 7 {
		t.Errorf("%+v arrives as %+v", said, got)
	}
}
