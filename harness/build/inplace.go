package build

import "context"

// InPlace is the result of no build: programs that are there already run in a folder. What they are is the caller's to
// check.
func InPlace(folder string) *Result {
	return &Result{Artifacts: map[string]string{}, Worktree: folder, check: func(context.Context) error { return nil }}
}
