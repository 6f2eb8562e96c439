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

// maxRegistration is the most bytes of a registration, registrationPatience how long a command may take for one.
const (
	maxRegistration      = 64 << 10
	registrationPatience = 2 * time.Minute
)

// Command gets registrations from a shell command, which runs as root: it asks a machine that may register runners, so
// that this one holds no right to. The command is given nothing of the jobs, and prints one registration.
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

// checkRegistration refuses what cannot be a registration. It is a secret, so no error repeats it.
func checkRegistration(text string) (string, error) {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return "", errors.New("it printed nothing: one registration is needed, as `harness github mint` prints it")
	case len(text) > maxRegistration:
		return "", fmt.Errorf("it printed %d bytes, a registration has at most %d", len(text), maxRegistration)
	}
	if _, err := base64.StdEncoding.DecodeString(text); err != nil {
		return "", errors.New("it printed no registration: one word of base64 is needed, as `harness github mint` prints it")
	}
	return text, nil
}
