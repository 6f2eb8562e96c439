package cli

import (
	"fmt"
	"strings"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/failure"
)

// selectOne returns the workload that --workload names for a command that measures one. The name of a matrix or a
// pattern will do where it stands for one combination.
func selectOne(file *config.File, name string) (string, error) {
	names, err := file.SelectAll([]string{name})
	if err == nil && len(names) > 1 {
		err = fmt.Errorf("--workload %s stands for %d workloads, and one is measured: take one of %s", name, len(names),
			strings.Join(names, ", "))
	}
	if err != nil {
		return "", &failure.UsageError{Err: err}
	}
	return names[0], nil
}
