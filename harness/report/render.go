package report

import (
	"io"
)

// A Renderer draws a report.
type Renderer func(w io.Writer, r *Report) error

// A TableRenderer writes a file of one workload.
type TableRenderer func(w io.Writer, load *Workload) error
