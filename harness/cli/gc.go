package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/harness/build"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/internal/files"
	"github.com/chiasmus/chiasmus/harness/journal"
	"github.com/chiasmus/chiasmus/harness/measure"
	"github.com/chiasmus/chiasmus/harness/plan"
)

// garbage is an item that gc can delete. kept is the reason to keep it, empty if it is to be deleted.
type garbage struct {
	name   string
	bytes  int64
	kept   string
	remove func() error
}

func (a *app) gc() *cobra.Command {
	keep, unused, yes := 20, 7*24*time.Hour, false
	c := &cobra.Command{
		Use: "gc", Short: textGCShort, Long: textGCLong, Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if keep < 0 || unused < 0 {
				return a.fail(nil, &failure.UsageError{Err: errors.New("--keep-runs and --unused must not be negative")})
			}
			runs, err := a.runGarbage(keep)
			if err != nil {
				return a.fail(nil, err)
			}
			builds, err := a.buildGarbage(c.Context(), unused)
			if err != nil {
				return a.fail(nil, err)
			}
			abandoned, err := abandonedGarbage(c.Context())
			if err != nil {
				return a.fail(nil, err)
			}
			left, err := a.leftovers()
			if err != nil {
				return a.fail(nil, err)
			}
			return a.collect(slices.Concat(left, runs, builds, abandoned), yes)
		},
	}
	c.Flags().IntVar(&keep, "keep-runs", keep, "keep the newest `N` runs")
	c.Flags().DurationVar(&unused, "unused", unused,
		"keep builds and worktrees that were used within this `DURATION`")
	c.Flags().BoolVar(&yes, "yes", false, "delete; without this flag, only show what would be deleted")
	return c
}

// runGarbage lists the runs. It keeps the newest.
func (a *app) runGarbage(keep int) ([]garbage, error) {
	dirs, err := journal.List(journal.RunsFolder(a.directory))
	if err != nil {
		return nil, err
	}
	var list []garbage
	for i, dir := range dirs {
		bytes, err := files.Size(string(dir))
		if err != nil {
			return nil, err
		}
		if proofs, err := files.Size(dir.Proofs()); err == nil { // most runs have no proofs left
			bytes += proofs
		}
		g := garbage{name: "run " + dir.ID(), bytes: bytes, remove: func() error {
			return errors.Join(files.RemoveAll(dir.Proofs()), os.RemoveAll(string(dir)))
		}}
		switch {
		case journal.InUse(dir.JournalFile()):
			g.kept = "running"
		case i >= len(dirs)-keep:
			g.kept = fmt.Sprintf("one of the newest %d", keep)
		}
		list = append(list, g)
	}
	return list, nil
}

// leftovers lists processes that inactive runs left behind. They are killed before the runs' files are deleted.
func (a *app) leftovers() ([]garbage, error) {
	dirs, err := journal.List(journal.RunsFolder(a.directory))
	if err != nil {
		return nil, err
	}
	var list []garbage
	for _, l := range measure.Leftovers(dirs) {
		list = append(list, garbage{
			name:   fmt.Sprintf("process %s, left behind by run %s", oneLine(l.Program()), l.Run.ID()),
			remove: l.End,
		})
	}
	return list, nil
}

// buildGarbage lists the builds of this folder and their worktrees.
func (a *app) buildGarbage(ctx context.Context, unused time.Duration) ([]garbage, error) {
	var list []garbage
	for _, folder := range plan.BuildsFolders(a.directory) {
		err := eachBuild(folder, func(cache *build.Cache, e build.Entry) {
			name := "failed build " + e.Key
			if e.Provenance.SHA != "" {
				name = fmt.Sprintf("build of %.7s %.7s", e.Provenance.SHA, e.Key)
			}
			g := garbage{name: name, bytes: e.Bytes, remove: func() error { return cache.Remove(ctx, e.Key) }}
			switch {
			case e.InUse:
				g.kept = "in use"
			case time.Since(e.Used) < unused:
				g.kept = fmt.Sprintf("used within %v", unused)
			}
			list = append(list, g)
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// abandonedGarbage lists the builds of folders that no longer exist.
func abandonedGarbage(ctx context.Context) ([]garbage, error) {
	folders, err := plan.AbandonedBuilds()
	if err != nil {
		return nil, err
	}
	var list []garbage
	for _, folder := range folders {
		g := garbage{name: "builds of a folder that no longer exists, " + filepath.Base(folder)}
		var keys []string
		var cache *build.Cache
		err := eachBuild(folder, func(c *build.Cache, e build.Entry) {
			cache, keys, g.bytes = c, append(keys, e.Key), g.bytes+e.Bytes
			if e.InUse {
				g.kept = "in use"
			}
		})
		if err != nil {
			return nil, err
		}
		g.remove = func() error {
			for _, key := range keys {
				if err := cache.Remove(ctx, key); err != nil {
					return err
				}
			}
			return os.RemoveAll(folder)
		}
		list = append(list, g)
	}
	return list, nil
}

// eachBuild visits the builds of a cache.
func eachBuild(folder string, visit func(*build.Cache, build.Entry)) error {
	cache, err := build.Open(folder)
	if err != nil {
		return err
	}
	entries, err := cache.Entries()
	if err != nil {
		return err
	}
	for _, e := range entries {
		visit(cache, e)
	}
	return nil
}

// collect prints everything with its size, and then deletes if yes is set.
func (a *app) collect(list []garbage, yes bool) error {
	table := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	var all, going int64
	for _, g := range list {
		what := "deleted"
		if g.kept != "" {
			what = "kept: " + g.kept
		} else {
			going += g.bytes
			if !yes {
				what = "to be deleted"
			}
		}
		all += g.bytes
		fmt.Fprintf(table, "%s\t  %s  %s\t\n", size(g.bytes), g.name, what)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if !yes {
		fmt.Fprintf(a.stdout, "%s in all, %s to be deleted (--yes)\n", size(all), size(going))
		return nil
	}
	for _, g := range list {
		if g.kept != "" {
			continue
		}
		if err := g.remove(); err != nil {
			return a.fail(nil, fmt.Errorf("%s: %w", g.name, err))
		}
	}
	fmt.Fprintf(a.stdout, "%s in all, %s deleted\n", size(all), size(going))
	return nil
}

// size formats a number of bytes.
func size(bytes int64) string {
	const unit = 1 << 10
	if bytes < unit {
		return fmt.Sprintf("%d B", bytes)
	}
	value, name := float64(bytes)/unit, "KiB"
	for _, next := range []string{"MiB", "GiB", "TiB"} {
		if value < unit {
			break
		}
		value, name = value/unit, next
	}
	return fmt.Sprintf("%.1f %s", value, name)
}
