package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// order verifies that the coordinator's key signed data for this agent and this job. An order is carried out once: the
// agent records the jobs it has ended, so replaying an order has no effect.
func (a *Agent) order(job string, data []byte) (*Order, error) {
	body, err := a.Space.bus.Unseal(purpose(a.Label, job), data)
	if err != nil {
		return nil, err
	}
	order := new(Order)
	err = json.Unmarshal(body, order)
	if err == nil {
		err = order.check()
	}
	if err == nil && order.Job != job {
		err = fmt.Errorf("the order of job %s was sent under %s", order.Job, job)
	}
	if err != nil {
		return nil, err
	}
	ended, err := a.ended()
	if err != nil {
		return nil, err
	}
	if at, was := ended[job]; was {
		return nil, fmt.Errorf("job %s ended here on %s: an order is carried out once", job, at.Format(time.DateTime))
	}
	return order, nil
}

// refuse reports to the coordinator why an order is not carried out.
func (a *Agent) refuse(ctx context.Context, key string, why error) error {
	a.Log("order %s: %v", key, why)
	return put(ctx, a.Space.progress, key, Progress{State: Ended, At: time.Now().UTC(), Error: why.Error()})
}

// endedFile maps the names of jobs that ended here to the time they ended.
func (a *Agent) endedFile() string { return filepath.Join(a.Folder, "ended.json") }

func (a *Agent) ended() (jobs map[string]time.Time, err error) {
	data, err := os.ReadFile(a.endedFile())
	if errors.Is(err, fs.ErrNotExist) {
		return map[string]time.Time{}, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &jobs)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", a.endedFile(), err)
	}
	return jobs, nil
}

// record notes that a job ended here. It drops jobs whose orders have expired since: an expired order is refused
// anyway.
func (a *Agent) record(job string) error {
	jobs, err := a.ended()
	if err != nil {
		return err
	}
	kept := map[string]time.Time{job: time.Now().UTC()}
	for name, at := range jobs {
		if expiry := a.Space.orders.Expiry(); expiry == 0 || time.Since(at) <= expiry {
			kept[name] = at
		}
	}
	data, err := json.Marshal(kept)
	if err != nil {
		return err
	}
	partial := a.endedFile() + ".partial"
	if err := os.WriteFile(partial, data, 0o600); err != nil {
		return err
	}
	return os.Rename(partial, a.endedFile())
}
