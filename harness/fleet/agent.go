package fleet

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/journal"
	"github.com/chiasmus/chiasmus/internal/bus"
	"github.com/chiasmus/chiasmus/workflows"
)

// An Agent carries out the orders for its label, one after the other.
type Agent struct {
	Space  *Space
	Label  string
	Folder string // private to this agent: the jobs and their runs
	// Isolate runs the code of revisions under bubblewrap, even if an order does not ask for isolation.
	Isolate bool
	// Controls are passed to its comparisons. Closing Stop ends the agent in an orderly way.
	Controls harness.Controls
	Log      func(format string, values ...any)
	// Compare is harness.Compare if nil; tests replace it.
	Compare func(context.Context, harness.Options) (*harness.Report, error)

	instance string
	card     sync.Mutex // serializes writes of the card
	job      string
}

// Run carries out orders until Stop is closed or the context ends. It fails if another live agent has the same label.
func (a *Agent) Run(ctx context.Context) error {
	if a.Compare == nil {
		a.Compare = harness.Compare
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if err := a.Space.bus.CanUnseal(); err != nil {
		return err
	}
	if err := a.enter(ctx); err != nil {
		return err
	}
	if err := a.sweep(ctx); err != nil {
		return err
	}
	var beat sync.WaitGroup
	defer beat.Wait()
	defer cancel()
	beat.Go(func() { a.beat(ctx) })
	orders, err := a.Space.orders.Watch(ctx, a.Label+".>", a.say)
	if err != nil {
		return err
	}
	a.Log("agent %s waits for orders", a.Label)
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-a.Controls.Stop:
			return nil
		case entry, open := <-orders:
			if !open { // the context may have ended, too
				return cmp.Or(ctx.Err(), errors.New("the server no longer sends orders"))
			}
			if entry == nil {
				continue
			}
			if entry.Deleted {
				a.empty(a.jobOf(entry))
				continue
			}
			if err := a.take(ctx, entry); err != nil {
				return err
			}
		}
	}
}

// enter determines the agent's instance, and fails if the label is already in use.
func (a *Agent) enter(ctx context.Context) error {
	if err := os.MkdirAll(a.Folder, 0o755); err != nil {
		return err
	}
	path := filepath.Join(a.Folder, "instance")
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		text = []byte(rand.Text())
		err = os.WriteFile(path, text, 0o600)
	}
	if err != nil {
		return err
	}
	a.instance = strings.TrimSpace(string(text))
	var there Card
	known, err := get(ctx, a.Space.cards, a.Label, &there)
	if err == nil && known && there.Instance != a.instance {
		return fmt.Errorf("another agent has the label %s: a label belongs to one host; if that agent is gone, wait %s",
			a.Label, a.Space.presence)
	}
	if err != nil {
		return err
	}
	return a.show(ctx)
}

// show writes the card.
func (a *Agent) show(ctx context.Context) error {
	a.card.Lock()
	defer a.card.Unlock()
	return put(ctx, a.Space.cards, a.Label, Card{
		Label:    a.Label,
		Instance: a.instance,
		Version:  a.Controls.Version,
		At:       time.Now().UTC(),
		Job:      a.job,
		Isolates: a.Isolate,
	})
}

// beat rewrites the card periodically.
func (a *Agent) beat(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(a.Space.presence / 4):
			if err := a.show(ctx); err != nil && ctx.Err() == nil {
				a.Log("the card is not written: %v", err)
			}
		}
	}
}

// take carries out an order, unless it has ended already.
func (a *Agent) take(ctx context.Context, entry *bus.Entry) error {
	job := a.jobOf(entry)
	var before Progress
	if _, err := get(ctx, a.Space.progress, entry.Key, &before); err != nil || before.State == Ended {
		return err
	}
	order, err := a.order(job, entry.Value)
	if err != nil {
		return a.refuse(ctx, entry.Key, err)
	}
	a.job = job
	defer func() { a.job = "" }()
	if err := a.show(ctx); err != nil {
		return err
	}
	a.Log("job %s", job)
	progress, err := a.measure(ctx, job, order)
	if err != nil {
		return err
	}
	progress.At = time.Now().UTC()
	a.Log("job %s %s %s", job, progress.State, progress.Error)
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWord) // an agent that ends says so
	defer cancel()
	if err := put(limited, a.Space.progress, entry.Key, progress); err != nil || progress.State != Ended {
		return err
	}
	return a.record(job)
}

// lastWord is the time limit for reporting how an order ended.
const lastWord = 2 * time.Minute

// measure starts or resumes the run of an order, and returns its outcome. A returned error comes from the server.
func (a *Agent) measure(ctx context.Context, job string, order *Order) (Progress, error) {
	ended := func(err error) Progress { return Progress{State: Ended, Error: err.Error()} }
	order.Isolate = order.Isolate || a.Isolate
	folder := a.jobFolder(job)
	withdrawn, stop, end, err := a.untilWithdrawn(ctx, job)
	if err != nil {
		return Progress{}, err
	}
	defer end()
	if err := a.open(ctx, order, folder); err != nil {
		if ctx.Err() != nil {
			return Progress{}, ctx.Err()
		}
		return ended(err), nil
	}
	report, err := a.run(ctx, order, folder, stop)
	switch {
	case errors.Is(context.Cause(withdrawn), errCancelled):
		return ended(errCancelled), nil
	case errors.Is(err, failure.ErrInterrupted):
		return Progress{State: Stopped, Text: "the agent was asked to stop"}, nil
	case report == nil && err != nil:
		return ended(err), nil
	}
	text, err := json.Marshal(report)
	if err != nil {
		return ended(err), nil
	}
	digest, err := a.Space.objects.Put(ctx, text)
	if err != nil {
		return Progress{}, err
	}
	return Progress{State: Ended, Report: &digest}, nil
}

// open unpacks the repository of an order, unless that has been done.
func (a *Agent) open(ctx context.Context, order *Order, folder string) error {
	repository := filepath.Join(folder, "repository")
	if _, err := os.Stat(repository); err == nil {
		return nil
	}
	bundle, partial := filepath.Join(folder, "bundle"), repository+".partial"
	if err := errors.Join(os.RemoveAll(bundle), os.RemoveAll(partial)); err != nil {
		return err
	}
	for _, f := range order.Files {
		data, err := a.Space.objects.Get(ctx, f.Object)
		if err != nil {
			return fmt.Errorf("%s: %w", f.Path, err)
		}
		path := filepath.Join(bundle, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			return err
		}
	}
	if err := workflows.OpenBundle(ctx, bundle, partial, order.commits()); err != nil {
		return err
	}
	return os.Rename(partial, repository)
}

// run starts a comparison or resumes the one in folder. A run that ended without being reported is only read.
func (a *Agent) run(ctx context.Context, order *Order, folder string, stop <-chan struct{}) (*harness.Report, error) {
	repository := filepath.Join(folder, "repository")
	t := a.progressReporter(ctx, order.Job)
	defer t.close()
	controls := a.Controls
	controls.Notify, controls.Stop = t.notify, stop
	runs, err := journal.List(journal.RunsFolder(repository))
	if err != nil {
		return nil, err
	}
	if len(runs) == 0 {
		return a.Compare(ctx, order.options(repository, filepath.Join(folder, "bundle", "config", config.FileName), controls))
	}
	last := runs[len(runs)-1]
	if report, err := harness.LoadReport(last); err == nil && !report.Resumable() {
		return report, nil
	}
	return harness.Resume(ctx, last, controls)
}
