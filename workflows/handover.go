package workflows

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"

	"github.com/chiasmus/chiasmus/harness/beneath"
	"github.com/chiasmus/chiasmus/harness/journal"
	"github.com/chiasmus/chiasmus/internal/plural"
)

// handoverLimits bound the files of its runs that a job hands over.
var handoverLimits = beneath.Limits{File: 64 << 20, Total: 256 << 20, Files: 5000}

// WriteNew writes a file that must not exist yet: a program of a revision may have put something in its place.
func WriteNew(name string, data []byte) error {
	file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	return errors.Join(err, file.Close())
}

// EmptyFolder creates the folder that a job writes into, or refuses one that is not empty: files of an earlier job
// would be taken for this job's.
func EmptyFolder(name string) error {
	if err := os.MkdirAll(name, 0o755); err != nil {
		return err
	}
	if entries, err := os.ReadDir(name); err != nil || len(entries) > 0 {
		return cmp.Or(err, fmt.Errorf("%s is not empty: what an earlier job left there would be taken for this one's", name))
	}
	return nil
}

// HandOver copies the files that may leave the host from the runs in a folder into a new folder, which is then
// uploaded. Uploading follows links, so only this copy is ever uploaded. under says, as a pattern, where the runs lie
// below the folder: "" if it is the folder of one run. more are further patterns. The log lists what is left out.
func HandOver(ctx context.Context, from, into, under string, more []string, log io.Writer) error {
	var patterns []string
	for _, name := range journal.Published {
		patterns = append(patterns, path.Join(under, name))
	}
	copied, left, err := beneath.Copy(ctx, from, into, append(patterns, more...), handoverLimits)
	for i := range left {
		fmt.Fprintf(log, "not handed on: %v\n", &left[i])
	}
	if err != nil {
		return fmt.Errorf("the files of the run are not handed on: %w", err)
	}
	fmt.Fprintf(log, "%s handed on\n", plural.Of(len(copied), "file"))
	return nil
}
