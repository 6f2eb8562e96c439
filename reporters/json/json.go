// Package json renders a report as report.json: the schema chiasmus.report/1, indented, one document.
package json

import (
	"encoding/json"
	"io"

	"github.com/chiasmus/chiasmus/harness/report"
)

// Write renders a report.
func Write(w io.Writer, r *report.Report) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(r)
}
