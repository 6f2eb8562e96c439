package cli

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"golang.org/x/term"

	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/reporters/csv"
	"github.com/chiasmus/chiasmus/reporters/html"
	"github.com/chiasmus/chiasmus/reporters/json"
	"github.com/chiasmus/chiasmus/reporters/junit"
	"github.com/chiasmus/chiasmus/reporters/markdown"
	"github.com/chiasmus/chiasmus/reporters/terminal"
)

// Names of formats that are used in code.
const (
	formatTerminal = "terminal"
	formatMarkdown = "markdown"
	formatCSV      = "csv"
)

// formats maps the names of formats to renderers.
var formats = map[string]report.Renderer{
	formatTerminal: func(w io.Writer, r *report.Report) error { return terminal.Write(w, r, terminalOptions(w)) },
	formatMarkdown: writeMarkdown,
	"html":         html.Write,
	"json":         json.Write,
	"junit":        junit.Write,
	formatCSV:      writeCSV,
}

func writeMarkdown(w io.Writer, r *report.Report) error {
	return markdown.Write(w, r, markdown.Options{})
}

// writeCSV writes the pairs of a report with one workload.
func writeCSV(w io.Writer, r *report.Report) error {
	return csv.Write(w, r, "")
}

// hereFolder returns the folder that paths are shown relative to; empty if it is unknown.
func hereFolder() string {
	folder, err := os.Getwd()
	if err != nil {
		return ""
	}
	return folder
}

// terminalOptions returns options for w, with the terminal's width and colour if w is a terminal.
func terminalOptions(w io.Writer) terminal.Options {
	file, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return terminal.Options{Directory: hereFolder()}
	}
	width, _, err := term.GetSize(int(file.Fd()))
	if err != nil {
		width = 0
	}
	return terminal.Options{Width: width, Colour: readEnviron().colour, Directory: hereFolder()}
}

func formatNames() []string { return slices.Sorted(maps.Keys(formats)) }

func formatNamed(name string) (report.Renderer, error) {
	if render, ok := formats[name]; ok {
		return render, nil
	}
	return nil, &failure.UsageError{Err: fmt.Errorf("--format %s: want one of %s", name,
		strings.Join(formatNames(), ", "))}
}

// renderers writes the reports in every run's folder, by extension.
var renderers = map[string]report.Renderer{"md": writeMarkdown, "html": html.Write}

// tables writes the files for each workload in every run's folder.
var tables = map[string]report.TableRenderer{"pairs.csv": csv.WritePairs, "dropped.csv": csv.WriteDropped}
