package build

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/chiasmus/chiasmus/harness/dependencies"
)

// fetchStep is build.fetch, the only step with access to the network.
func fetchStep(req Request) step { return step{"fetch", req.Build.Fetch, true} }

// obtain runs build.fetch, or unpacks its result from another host.
func (e entry) obtain(ctx context.Context, req Request, out io.Writer) error {
	switch {
	case len(req.Build.Fetch) == 0:
		return nil
	case !req.Sealed:
		return e.clean(ctx, req, fetchStep(req), out)
	case req.Fetched == nil:
		return errors.New("this host fetches nothing, and it was not given the result of build.fetch from another host")
	}
	fmt.Fprintf(out, "unpacking the result of build.fetch: sha256 %s\n", req.Fetched.SHA256)
	return dependencies.Unpack(ctx, req.Fetched.Archive, req.Fetched.SHA256, e.home(), e.worktree(),
		dependencies.DefaultLimits)
}

// Fetch runs build.fetch of a revision isolated in a new folder, and packs the result into a new file. It builds
// nothing.
func Fetch(ctx context.Context, req Request, folder, archive string) (dependencies.Packed, error) {
	if req.Isolation == nil {
		return dependencies.Packed{}, errors.New("build.fetch for another host must run isolated")
	}
	if req.Log == nil {
		req.Log = io.Discard
	}
	e := entry{dir: folder}
	if err := os.MkdirAll(e.home(), 0o755); err != nil {
		return dependencies.Packed{}, err
	}
	if err := req.Repository.Worktree(ctx, req.Revision, e.worktree()); err != nil {
		return dependencies.Packed{}, err
	}
	before, err := dependencies.Take(e.worktree())
	if err != nil {
		return dependencies.Packed{}, err
	}
	limited, cancel := withTimeout(ctx, req)
	defer cancel()
	if err := e.clean(limited, req, fetchStep(req), req.Log); err != nil {
		return dependencies.Packed{}, fmt.Errorf("build.fetch of %s: %w", req.Revision, err)
	}
	return dependencies.Pack(ctx, e.home(), e.worktree(), before, archive, dependencies.DefaultLimits)
}
