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

// WriteNew writes a file that must not exist yet: a measured program may have put a link in its place.
func WriteNew(name string, data []byte) error {
	file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	return errors.Join(err, file.Close())
}

// EmptyFolder creates the folder that a job writes into. A folder that is not empty is an error, because files of an
// earlier job would be mistaken for this job's.
func EmptyFolder(name string) error {
	if err := os.MkdirAll(name, 0o755); err != nil {
		return err
	}
	if entries, err := os.ReadDir(name); err != nil || len(entries) > 0 {
		return cmp.Or(err, fmt.Errorf("%s is not empty: files of an earlier job would be mistaken for this job's", name))
	}
	return nil
}

// HandOver copies the files that may leave the host from the runs in a folder into a new folder, which is then
// uploaded. Uploading follows links, so only this copy is ever uploaded. under is the pattern of the runs' folders
// below from: "" if from is the folder of one run. more are further patterns. The log lists the omitted files.
func HandOver(ctx context.Context, from, into, under string, more []string, log io.Writer) error {
	var patterns []string
	for _, name := range journal.Published {
		patterns = append(patterns, path.Join(under, name))
	}
	copied, left, err := beneath.Copy(ctx, from, into, append(patterns, more...), handoverLimits)
	for i := range left {
		fmt.Fprintf(log, "not handed over: %v\n", &left[i])
	}
	if err != nil {
		return fmt.Errorf("hand over the files of the run: %w", err)
	}
	fmt.Fprintf(log, "%s handed over\n", plural.Of(len(copied), "file"))
	return nil
}
