package sampling

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/chiasmus/chiasmus/harness/flame"
	"github.com/chiasmus/chiasmus/harness/internal/group"
)

// A Perf samples by perf record (Linux), which also finds the callers in programs without frame pointers, by their
// DWARF tables.
type Perf struct {
	program, folder string
	dwarf           bool
	files           []string
	windows         []window
}

// perfTrial bounds the trial of perf.
const perfTrial = 30 * time.Second

// FindPerf returns a Perf that keeps its files in a folder, or says why perf cannot be used here. It is tried first. In
// programs with frame pointers, which dwarf false says, callers are found by these: DWARF tables cost more, and a
// stripped Go program has none.
func FindPerf(ctx context.Context, folder string, dwarf bool) (*Perf, error) {
	program, err := exec.LookPath("perf")
	if err != nil {
		return nil, errors.New("perf is not installed")
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	p := &Perf{program: program, folder: folder, dwarf: dwarf}
	ctx, cancel := context.WithTimeout(ctx, perfTrial)
	defer cancel()
	argv := append(p.Wrap(), "true")
	group.Seal()
	said, err := exec.CommandContext(ctx, argv[0], argv[1:]...).CombinedOutput()
	if err != nil {
		line, _, _ := strings.Cut(strings.TrimSpace(string(said)), "\n")
		return nil, fmt.Errorf("perf record: %w: %s", err, line)
	}
	p.files = nil
	return p, nil
}

// Wrap is what stands before the command line of the next program.
func (p *Perf) Wrap() []string {
	file := filepath.Join(p.folder, fmt.Sprintf("perf-%d.data", len(p.files)))
	p.files = append(p.files, file)
	how, hertz := "fp", strconv.Itoa(Hertz)
	if p.dwarf {
		how = "dwarf,16384"
	}
	return []string{p.program, "record", "-q", "-e", "cpu-clock:u", "-F", hertz, "--call-graph", how,
		"-k", "CLOCK_MONOTONIC", "-o", file, "--"}
}

// While runs do, and counts the samples that are taken meanwhile.
func (p *Perf) While(do func() error) error {
	from := now()
	err := do()
	p.windows = append(p.windows, window{from, now()})
	return err
}

// Close returns the stacks of what was sampled, and deletes the files.
func (p *Perf) Close(ctx context.Context) (stacks []flame.Stack, err error) {
	for _, file := range p.files {
		seen, failed := p.read(ctx, file)
		stacks = append(stacks, seen...)
		err = errors.Join(err, failed, os.Remove(file))
	}
	return flame.Fold(stacks), err
}

// read has perf name the functions of a file. Inlined functions are left to those they are in, as in all profiles here;
// to take them apart would take minutes.
func (p *Perf) read(ctx context.Context, file string) ([]flame.Stack, error) {
	cmd := exec.CommandContext(ctx, p.program, "script", "-i", file, "--no-inline", "--no-demangle", "--ns",
		"-F", "pid,time,ip,sym,dso")
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	group.Seal()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	stacks, err := readScript(out, p.windows)
	_, _ = io.Copy(io.Discard, out) // or it would wait to write
	if failed := cmd.Wait(); failed != nil {
		err = errors.Join(err, fmt.Errorf("perf script: %w", failed))
	}
	return stacks, err
}

// readScript reads what perf script prints: for each sample a line with its process and time, lines with address,
// function and file from the innermost on, and an empty line.
func readScript(in io.Reader, windows []window) ([]flame.Stack, error) {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	var stacks []flame.Stack
	var frames []string
	inside := false
	end := func() {
		if inside && len(frames) > 0 {
			for i, j := 0, len(frames)-1; i < j; i, j = i+1, j-1 {
				frames[i], frames[j] = frames[j], frames[i]
			}
			stacks = append(stacks, flame.Stack{Frames: frames, Samples: 1, Seconds: 1.0 / Hertz})
		}
		frames, inside = nil, false
	}
	for lines.Scan() {
		line := lines.Text()
		switch fields := strings.Fields(line); {
		case len(fields) == 0:
			end()
		case line[0] == '\t':
			frames = append(frames, scriptFrame(line))
		default:
			end()
			at, err := scriptTime(fields)
			if err != nil {
				return nil, fmt.Errorf("perf script printed %q: %w", line, err)
			}
			for _, w := range windows {
				inside = inside || at >= w.from && at < w.to
			}
		}
	}
	end()
	return stacks, lines.Err()
}

// scriptTime reads the nanoseconds of a line such as "23866  5244.622839944:".
func scriptTime(fields []string) (uint64, error) {
	if len(fields) < 2 {
		return 0, errors.New("want a process and a time")
	}
	seconds, nanoseconds, _ := strings.Cut(strings.TrimSuffix(fields[len(fields)-1], ":"), ".")
	s, err := strconv.ParseUint(seconds, 10, 32)
	if err != nil {
		return 0, err
	}
	fraction, err := strconv.ParseFloat("0."+nanoseconds, 64)
	return s*1e9 + uint64(math.Round(fraction*1e9)), err
}

// scriptFrame names the function of a line such as "\t 11c4 _ZN2ns5heavyEv (/bin/a)". A function may have spaces in its
// name, and so may a file.
func scriptFrame(line string) string {
	line = strings.TrimSpace(line)
	_, rest, _ := strings.Cut(line, " ")
	name, file := rest, ""
	if at := strings.LastIndex(rest, " ("); at >= 0 {
		name, file = rest[:at], strings.TrimSuffix(rest[at+2:], ")")
	}
	switch {
	case name != "[unknown]":
		return readable(name)
	case file == "" || file == "[unknown]":
		return "[unknown]"
	}
	return inBrackets(file)
}
