package cli

import (
	"io"
	"os"
)

// maxSummary is less than the 1 MiB that GitHub shows of a step's summary.
const maxSummary = 1 << 19

// jobSummary is the summary of the job's page; nil where path is empty, outside of a job.
func jobSummary(path string) io.Writer {
	if path == "" {
		return nil
	}
	return &summaryFile{path: path}
}

// A summaryFile appends to a file that is opened for each write, which are few.
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
