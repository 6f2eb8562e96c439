package sampling

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/chiasmus/chiasmus/harness/internal/group"
)

// An Nsys traces CUDA kernels with NVIDIA Nsight Systems (the program nsys).
type Nsys struct {
	program, folder string
	reports         []string // without the extension
}

// A Kernel is the time of one GPU kernel in everything that was traced.
type Kernel struct {
	Name     string
	Launches int
	Seconds  float64
}

const (
	// nsysTrial limits the trial of nsys.
	nsysTrial = time.Minute
	// NsysLinger is the time that nsys may take to write its report after the traced program has ended.
	NsysLinger = 2 * time.Minute
	// nsysReport is the report of nsys stats that is read.
	nsysReport = "cuda_gpu_kern_sum"
)

// ErrNoNsys means that nsys is not installed.
var ErrNoNsys = errors.New("nsys is not in the PATH: install NVIDIA Nsight Systems to trace GPU kernels")

// nsysScript runs a program under nsys. nsys writes about itself to standard output, which belongs to the program. So
// nsys writes to standard error, and the program opens its own input and output again, to append, so that earlier
// output stays. The shell whose files these are must not redirect or replace itself: hence ( ) and exit.
const nsysScript = `export CHIASMUS_STDIN=/proc/$$/fd/0 CHIASMUS_STDOUT=/proc/$$/fd/1
nsys=$1 report=$2
shift 2
("$nsys" profile --trace=cuda --cuda-graph-trace=node --sample=none --cpuctxsw=none --force-overwrite=true \
	--output="$report" sh -c 'exec "$@" <"$CHIASMUS_STDIN" >>"$CHIASMUS_STDOUT"' sh "$@" </dev/null >&2)
exit $?`

// HasNsys reports whether nsys is in the PATH.
func HasNsys() bool {
	_, err := exec.LookPath("nsys")
	return err == nil
}

// FindNsys returns an Nsys that keeps its files in a folder, or says why nsys cannot be used here. It tries nsys first.
func FindNsys(ctx context.Context, folder string) (*Nsys, error) {
	program, err := exec.LookPath("nsys")
	if err != nil {
		return nil, ErrNoNsys
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	n := &Nsys{program: program, folder: folder}
	ctx, cancel := context.WithTimeout(ctx, nsysTrial)
	defer cancel()
	argv := append(n.Wrap(), "true")
	group.Seal()
	said, err := exec.CommandContext(ctx, argv[0], argv[1:]...).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("nsys profile: %w: %s", err, lastLine(said))
	}
	return n, n.clean()
}

// Wrap returns the prefix for the command line of the next program.
func (n *Nsys) Wrap() []string {
	report := filepath.Join(n.folder, fmt.Sprintf("nsys-%d", len(n.reports)))
	n.reports = append(n.reports, report)
	return []string{"sh", "-c", nsysScript, "nsys-wrap", n.program, report}
}

// Close sums up the kernels of all programs that ran, by name, and deletes the reports.
func (n *Nsys) Close(ctx context.Context) ([]Kernel, error) {
	var all []Kernel
	for _, report := range n.reports {
		kernels, err := n.read(ctx, report)
		if err != nil {
			return nil, errors.Join(err, n.clean())
		}
		all = append(all, kernels...)
	}
	return sumKernels(all), n.clean()
}

// read sums up the kernels of one report with nsys stats.
func (n *Nsys) read(ctx context.Context, report string) ([]Kernel, error) {
	file := report + ".nsys-rep"
	if _, err := os.Stat(file); err != nil {
		return nil, fmt.Errorf("nsys profile wrote no report: %w", err)
	}
	cmd := exec.CommandContext(ctx, n.program, "stats", "--force-export=true", "--format=csv", "--report="+nsysReport,
		file)
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	group.Seal()
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("nsys stats: %w: %s", err, lastLine(append(out, complaints.Bytes()...)))
	}
	return readKernels(bytes.NewReader(out))
}

// clean deletes the reports, and the databases that nsys stats writes next to them.
func (n *Nsys) clean() (err error) {
	for _, report := range n.reports {
		files, _ := filepath.Glob(report + ".*") // the path has no wildcards
		for _, file := range files {
			err = errors.Join(err, os.Remove(file))
		}
	}
	n.reports = nil
	return err
}

// readKernels reads what nsys stats prints: lines about its files, then a table with a header. A report without kernels
// has no table.
func readKernels(in io.Reader) ([]Kernel, error) {
	text, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	begin := bytes.Index(text, []byte("Time (%),"))
	if begin < 0 {
		if bytes.Contains(text, []byte("does not contain CUDA kernel data")) {
			return nil, nil
		}
		return nil, fmt.Errorf("nsys stats printed no table of kernels: %s", lastLine(text))
	}
	table := csv.NewReader(bytes.NewReader(text[begin:]))
	table.FieldsPerRecord = -1 // nsys may print lines after the table
	header, err := table.Read()
	if err != nil {
		return nil, fmt.Errorf("nsys stats: %w", err)
	}
	name, total, launches := slices.Index(header, "Name"), slices.Index(header, "Total Time (ns)"),
		slices.Index(header, "Instances")
	if name < 0 || total < 0 || launches < 0 {
		return nil, fmt.Errorf("nsys stats: the table of kernels has the columns %q, not Name, Total Time (ns) and Instances",
			header)
	}
	var out []Kernel
	for {
		row, err := table.Read()
		if errors.Is(err, io.EOF) || err == nil && len(row) < len(header) {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("nsys stats: %w", err)
		}
		nanoseconds, err := strconv.ParseFloat(row[total], 64)
		count, wrong := strconv.Atoi(row[launches])
		if err != nil || wrong != nil || nanoseconds < 0 {
			return nil, fmt.Errorf("nsys stats: kernel %s took %q ns in %q launches: want numbers", row[name], row[total],
				row[launches])
		}
		out = append(out, Kernel{Name: row[name], Launches: count, Seconds: nanoseconds / 1e9})
	}
}

// sumKernels adds up kernels of the same name, in the order of their names.
func sumKernels(all []Kernel) []Kernel {
	slices.SortStableFunc(all, func(a, b Kernel) int { return strings.Compare(a.Name, b.Name) })
	var out []Kernel
	for _, k := range all {
		if last := len(out) - 1; last >= 0 && out[last].Name == k.Name {
			out[last].Launches += k.Launches
			out[last].Seconds += k.Seconds
			continue
		}
		out = append(out, k)
	}
	return out
}

// lastLine returns the last non-empty line of a program's output.
func lastLine(text []byte) string {
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}
