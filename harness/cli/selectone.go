package cli

import (
	"fmt"
	"strings"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/failure"
)

// selectOne resolves --workload for a command that measures one workload. A matrix or a pattern is allowed if it
// matches exactly one.
func selectOne(file *config.File, name string) (string, error) {
	names, err := file.SelectAll([]string{name})
	if err == nil && len(names) > 1 {
		err = fmt.Errorf("--workload %s matches %d workloads: choose one of %s", name, len(names),
			strings.Join(names, ", "))
	}
	if err != nil {
		return "", &failure.UsageError{Err: err}
	}
	return names[0], nil
}
