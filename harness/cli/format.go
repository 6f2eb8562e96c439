package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/harness"
)

// formatTerminal is the format that people read.
const formatTerminal = "terminal"

// formats draws reports by the name of the format.
var formats = map[string]harness.Renderer{
	"json": renderJSON,
}

func renderJSON(w io.Writer, r *harness.Report) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(r)
}

func formatNames() []string { return slices.Sorted(maps.Keys(formats)) }

func formatNamed(name string) (harness.Renderer, error) {
	if render, ok := formats[name]; ok {
		return render, nil
	}
	return nil, &harness.UsageError{Err: fmt.Errorf("--format %s: want one of %s", name, strings.Join(formatNames(), ", "))}
}

// runRenderers are the reports that every run writes into its folder, by extension.
func runRenderers() map[string]harness.Renderer { return nil }
