package mutate

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/internal/longtest"
)

// Outcome is the result of a mutation.
type Outcome int

// The outcomes.
const (
	Survived Outcome = iota // the tests passed
	Killed                  // a test failed
	Unbuilt                 // the mutated code does not build, so the mutation tests nothing
)

func (o Outcome) String() string { return [...]string{"survived", "killed", "does not build"}[o] }

// Options specify how to run mutations.
type Options struct {
	Go   string // the Go tool; "go" if empty
	Pins bool   // leave pins on: a mutation counts as killed if a pin alone fails
}

// noPins is the build tag of package pin.
const noPins = "nopins"

// flags returns the arguments that vet and test share.
func (o Options) flags(overlay string) []string {
	flags := []string{"-overlay", overlay}
	if !o.Pins {
		flags = append(flags, "-tags", noPins)
	}
	return flags
}

// Run runs the tests of one mutation and returns their output.
func (m *Mutation) Run(ctx context.Context, root string, o Options) (outcome Outcome, output string, err error) {
	goTool := cmp.Or(o.Go, "go")
	changed, err := m.Apply(root)
	if err != nil {
		return 0, "", err
	}
	folder, err := os.MkdirTemp("", "mutate-")
	if err != nil {
		return 0, "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	overlay, err := writeOverlay(folder, filepath.Join(root, filepath.FromSlash(m.File)), changed)
	if err != nil {
		return 0, "", err
	}
	if text, err := command(ctx, root, goTool,
		slices.Concat([]string{"vet"}, o.flags(overlay), packages(m.Tests))); err != nil {
		return Unbuilt, text, context.Cause(ctx)
	}
	text, err := command(ctx, root, goTool, slices.Concat([]string{"test"}, o.flags(overlay), m.Tests))
	if cause := context.Cause(ctx); cause != nil {
		return 0, text, cause
	}
	if err != nil {
		return Killed, text, nil
	}
	return Survived, text, nil
}

// packages returns the arguments that are not flags.
func packages(tests []string) []string {
	var list []string
	for _, t := range tests {
		if t == "-args" {
			break
		}
		if strings.HasPrefix(t, "./") {
			list = append(list, t)
		}
	}
	return list
}

// writeOverlay writes a changed file, and the overlay that replaces the original with it.
func writeOverlay(folder, path string, changed []byte) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	replacement, overlay := filepath.Join(folder, "changed"), filepath.Join(folder, "overlay.json")
	data, err := json.Marshal(map[string]map[string]string{"Replace": {path: replacement}})
	return overlay, errors.Join(err, os.WriteFile(replacement, changed, 0o644), os.WriteFile(overlay, data, 0o644))
}

func command(ctx context.Context, root, name string, args []string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = root
	cmd.Env = append(cmd.Environ(), longtest.Variable+"=1") // otherwise long tests would be skipped
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err
}

// Summary counts outcomes.
type Summary struct{ Killed, Unbuilt, Survived int }

func (s Summary) String() string {
	return fmt.Sprintf("%d killed, %d survived, %d do not build", s.Killed, s.Survived, s.Unbuilt)
}

// Add counts one outcome.
func (s *Summary) Add(o Outcome) {
	switch o {
	case Killed:
		s.Killed++
	case Unbuilt:
		s.Unbuilt++
	default:
		s.Survived++
	}
}
