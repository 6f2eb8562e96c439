package build

import "context"

// InPlace returns a Result without a build, for existing programs that run in a folder. The caller must check what they
// are.
func InPlace(folder string) *Result {
	return &Result{Artifacts: map[string]string{}, Worktree: folder, check: func(context.Context) error { return nil }}
}
