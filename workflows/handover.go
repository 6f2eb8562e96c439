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

// handoverLimits bound what a job hands on of its runs.
var handoverLimits = beneath.Limits{File: 64 << 20, Total: 256 << 20, Files: 5000}

// WriteNew writes a file that must not be there yet, whatever a program of a revision may have put in its place.
func WriteNew(name string, data []byte) error {
	file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	return errors.Join(err, file.Close())
}

// EmptyFolder makes the folder that a job writes into, or refuses one that is not empty: what an earlier job left there
// would be taken for this one's.
func EmptyFolder(name string) error {
	if err := os.MkdirAll(name, 0o755); err != nil {
		return err
	}
	if entries, err := os.ReadDir(name); err != nil || len(entries) > 0 {
		return cmp.Or(err, fmt.Errorf("%s is not empty: what an earlier job left there would be taken for this one's", name))
	}
	return nil
}

// HandOver copies what may leave the host of the runs in a folder into a new folder, the one that is uploaded:
// uploading follows links, so nothing but this copy is ever handed to it. under says where the runs lie below the
// folder, as patterns: "" for the folder of one run. more are further patterns. What is left out is said in the log.
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
