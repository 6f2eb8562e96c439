package plan

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/harness/failure"
)

// KindRun is the kind of a run of two commands, which have no revisions.
const KindRun = "run"

// OfCommands reports whether two commands are measured instead of revisions.
func (d *Decision) OfCommands() bool { return d.Kind == KindRun }

// decideCommands resolves two commands. Unless the caller gives the number of pairs, it stays open until Probed.
func (d *Decision) decideCommands(ctx context.Context, options Options) error {
	c := options.Commands
	d.Kind, d.Config, d.Open = KindRun, AdhocConfig, ""
	if c.Input != "" {
		input, err := HashProgram(d.Directory, c.Input)
		if err != nil {
			return failure.Usage("--input: %w", err)
		}
		d.Stdin = c.Input
		if !filepath.IsAbs(d.Stdin) {
			d.Stdin = filepath.Join(d.Directory, d.Stdin)
		}
		d.Inputs = map[string][]Input{AdhocName: {{Name: c.Input, SHA256: input.SHA256, Bytes: input.Bytes}}}
	}
	d.Further = make([]Revision, len(c.Further))
	for _, arm := range d.Arms() {
		r, err := d.commandOf(c, c.of(arm))
		if err != nil {
			return failure.Usage("%s: %w", arm, err)
		}
		*d.Arm(arm) = r
	}
	d.AA = d.Base.SHA == d.Head.SHA && d.HeadCount() == 1
	if err := d.describe(c, 0); err != nil {
		return err
	}
	if err := d.checkHeads(options); err != nil {
		return err
	}
	if err := d.checkSuites(options); err != nil {
		return err
	}
	if options.Pairs == 0 {
		return nil // the time of the commands fixes them: see probed
	}
	return d.planFor(options)
}

// Probed fixes the number of pairs of commands, and then the plan. It takes the total seconds of one run of each
// command, and the number of benchmarks that they report.
func (d *Decision) Probed(options Options, seconds float64, benchmarks int) error {
	d.ProbeSeconds = seconds
	pairs := pairsFor(seconds)
	if benchmarks > 1 { // enough pairs that a change of one benchmark can be significant
		pairs = max(pairs, suitePairs)
	}
	if err := d.describe(options.Commands, pairs); err != nil {
		return err
	}
	return d.planFor(options)
}

// describe derives the bench.yaml of two commands.
func (d *Decision) describe(c *Commands, pairs int) (err error) {
	if d.File, err = c.file(d.Base.Argv, "", pairs); err != nil {
		return err
	}
	d.ConfigSHA256, d.ConfigSource, d.Workloads = d.File.SHA256, string(d.File.Source), []string{AdhocName}
	return nil
}

// commandOf describes one command as an arm: its programs replace the artifacts of a revision, and the hash of the
// first program with the command line replaces the commit.
func (d *Decision) commandOf(c *Commands, command Command) (Revision, error) {
	argv := command.Argv
	switch {
	case len(argv) == 0 || argv[0] == "":
		return Revision{}, errors.New("no command")
	case c.Shell && len(argv) > 1:
		return Revision{}, fmt.Errorf("--shell takes each command as one string, not as %d words: quote it", len(argv))
	}
	text := argv[0]
	words := strings.Fields(text)
	if c.Shell {
		argv = []string{shell, "-c", text}
	} else {
		words, text = argv[1:], commandLine(argv)
	}
	program, err := HashProgram(d.Directory, argv[0])
	if err != nil {
		return Revision{}, err
	}
	r := Revision{Ref: command.Label, Subject: text, Artifacts: []Artifact{program}, Argv: c.literals(argv)}
	if r.Ref == "" {
		r.Ref = text
	}
	for _, word := range words { // scripts of an interpreter, and other files
		file, err := HashProgram(d.Directory, word)
		known := func(a Artifact) bool { return a.Name == file.Name }
		if err == nil && strings.ContainsAny(word, "./") && !slices.ContainsFunc(r.Artifacts, known) {
			r.Artifacts = append(r.Artifacts, file)
		}
	}
	identity, err := json.Marshal(struct {
		Argv    []string
		Program string
	}{argv, program.SHA256})
	if err != nil {
		return Revision{}, err
	}
	sum := sha256.Sum256(identity)
	r.SHA = hex.EncodeToString(sum[:])
	return r, nil
}

// commandLine quotes an argument vector for a shell.
func commandLine(argv []string) string {
	words := make([]string, len(argv))
	for i, word := range argv {
		words[i] = word
		if word == "" || strings.ContainsAny(word, " \t\n\"'`$\\*?[]{}()<>|&;#~!") {
			words[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}

// mostProgram is the size limit of a file that is hashed before a run.
const mostProgram = 1 << 30

// HashProgram finds a program as the shell does, and hashes it.
func HashProgram(folder, name string) (Artifact, error) {
	path := name
	if !strings.Contains(name, "/") {
		if found, err := exec.LookPath(name); err == nil {
			path = found
		}
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(folder, path)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Artifact{}, fmt.Errorf("%s: no such program or file", name)
	case err != nil:
		return Artifact{}, err
	case !info.Mode().IsRegular() || info.Size() > mostProgram:
		return Artifact{}, fmt.Errorf("%s is not a regular file of at most %d bytes", name, mostProgram)
	}
	file, err := os.Open(path)
	if err != nil {
		return Artifact{}, err
	}
	defer file.Close()
	hash := sha256.New()
	n, err := io.Copy(hash, file)
	return Artifact{Name: name, SHA256: hex.EncodeToString(hash.Sum(nil)), Bytes: n}, err
}

// SameInput returns an error if the standard input of a run of commands has changed since the decision.
func (d *Decision) SameInput() error {
	for _, before := range d.Inputs[AdhocName] {
		now, err := HashProgram(d.Directory, before.Name)
		if err != nil || now.SHA256 != before.SHA256 {
			return fmt.Errorf("the input %s has changed", before.Name)
		}
	}
	return nil
}
