package cli

import (
	"io"
	"os"
)

// maxSummary is below GitHub's limit of 1 MiB for a step's summary.
const maxSummary = 1 << 19

// jobSummary returns a writer for the job's summary; nil if path is empty, outside a job.
func jobSummary(path string) io.Writer {
	if path == "" {
		return nil
	}
	return &summaryFile{path: path}
}

// A summaryFile appends to a file, which it opens for each of the few writes.
type summaryFile struct {
	path    string
	written int
}

func (summary *summaryFile) Write(text []byte) (int, error) {
	kept := text[:min(len(text), maxSummary-summary.written)]
	file, err := os.OpenFile(summary.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	if _, err := file.Write(kept); err != nil {
		return 0, err
	}
	summary.written += len(kept)
	return len(text), nil
}
