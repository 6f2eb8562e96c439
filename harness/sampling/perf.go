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

// A Perf samples with perf record (Linux). It also finds callers in programs without frame pointers, from DWARF unwind
// tables.
type Perf struct {
	program, folder string
	dwarf           bool
	files           []string
	windows         []window
}

// perfTrial limits the trial of perf.
const perfTrial = 30 * time.Second

// FindPerf returns a Perf that keeps its files in a folder, or says why perf cannot be used here. It tries perf first.
// dwarf selects DWARF tables to find callers; false selects frame pointers, which cost less and which a stripped Go
// program has.
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

// Wrap returns the prefix for the command line of the next program.
func (p *Perf) Wrap() []string {
	file := filepath.Join(p.folder, fmt.Sprintf("perf-%d.data", len(p.files)))
	p.files = append(p.files, file)
	how, hertz := "fp", strconv.Itoa(hertz)
	if p.dwarf {
		how = "dwarf,16384"
	}
	return []string{p.program, "record", "-q", "-e", "cpu-clock:u", "-F", hertz, "--call-graph", how,
		"-k", "CLOCK_MONOTONIC", "-o", file, "--"}
}

// While runs do. Only samples taken during While count.
func (p *Perf) While(do func() error) error {
	from := now()
	err := do()
	p.windows = append(p.windows, window{from, now()})
	return err
}

// Close returns the sampled stacks and deletes the files.
func (p *Perf) Close(ctx context.Context) (stacks []flame.Stack, err error) {
	for _, file := range p.files {
		seen, failed := p.read(ctx, file)
		stacks = append(stacks, seen...)
		err = errors.Join(err, failed, os.Remove(file))
	}
	return flame.Fold(stacks), err
}

// read resolves the samples of a file with perf script. Inlined functions count for the function that contains them, as
// in all profiles here: resolving them would take minutes.
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
	_, _ = io.Copy(io.Discard, out) // else perf would block
	if failed := cmd.Wait(); failed != nil {
		err = errors.Join(err, fmt.Errorf("perf script: %w", failed))
	}
	return stacks, err
}

// readScript parses the output of perf script: for each sample a line with process and time, a line with address,
// function and file for each frame from the innermost on, and an empty line.
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
			stacks = append(stacks, flame.Stack{Frames: frames, Samples: 1, Seconds: 1.0 / hertz})
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

// scriptTime returns the nanoseconds of a line such as "23866 5244.622839944:".
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

// scriptFrame returns the function of a line such as "\t 11c4 _ZN2ns5heavyEv (/bin/a)". Names of functions and files
// may contain spaces.
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
