//go:build linux

package runner

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/chiasmus/chiasmus/harness/internal/group"
)

// maxRegistration is the maximum size of a registration in bytes, registrationPatience the timeout of a command that
// gets one.
const (
	maxRegistration      = 64 << 10
	registrationPatience = 2 * time.Minute
)

// Command returns a function that gets registrations from a shell command. The command runs as root and asks another
// machine, so that this host needs no right to register runners. It prints one registration and gets no data of jobs.
func Command(command string) func(ctx context.Context, name string) (string, error) {
	return func(ctx context.Context, _ string) (string, error) {
		ctx, cancel := context.WithTimeout(ctx, registrationPatience)
		defer cancel()
		group.Seal()
		cmd := exec.CommandContext(ctx, "/bin/sh", "-c", command)
		cmd.Env = []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8",
			"HOME=/root"}
		var out, log bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &log
		cmd.WaitDelay = 10 * time.Second
		if err := cmd.Run(); err != nil {
			said := strings.TrimSpace(log.String())
			return "", fmt.Errorf("--registrations %q: %w: %s", command, err, said[:min(len(said), 400)])
		}
		registration, err := checkRegistration(out.String())
		if err != nil {
			return "", fmt.Errorf("--registrations %q: %w", command, err)
		}
		return registration, nil
	}
}

// checkRegistration returns an error for text that cannot be a registration. A registration is a secret, so errors
// never contain the text.
func checkRegistration(text string) (string, error) {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return "", errors.New("it printed nothing: want one registration, as `harness github mint` prints it")
	case len(text) > maxRegistration:
		return "", fmt.Errorf("it printed %d bytes: a registration has at most %d", len(text), maxRegistration)
	}
	if _, err := base64.StdEncoding.DecodeString(text); err != nil {
		return "", errors.New("it did not print a registration: want one word of base64, as `harness github mint` prints it")
	}
	return text, nil
}
