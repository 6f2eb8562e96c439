package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// lockReaction is the reaction to a pull request that is its lock. Of one account and content there is at most one, and
// GitHub answers 201 to whoever made it and 200 to whoever found it: the one test-and-set that its API has. It notifies
// nobody.
const lockReaction = "rocket"

// lockPause is the time between two tries to take a lock, in parts of Retry.Lease.
const lockPause = 120

// noLock is the identifier of no reaction.
const noLock = 0

// Exclusively runs section while no other client of the same account runs one for the same pull request. A lock that
// does not change hands for Retry.Lease was left behind by somebody who died, and is broken; section is therefore
// stopped after half of that time and, where it was, run again with a new lock. It must bear being repeated.
//
// A token that may not react to the pull request has no lock: section runs all the same, since a line that two writers
// may lose is better than no answer.
func (client *Client) Exclusively(ctx context.Context, pull int, section func(ctx context.Context) error) error {
	for attempt := 1; ; attempt++ {
		lock, err := client.lock(ctx, pull)
		if err != nil {
			return err
		}
		limited, cancel := context.WithTimeout(ctx, client.retry.Lease/2)
		err = section(limited)
		late := limited.Err() != nil && ctx.Err() == nil
		cancel()
		released := client.unlock(ctx, pull, lock)
		if err == nil || !late || attempt == client.retry.Attempts {
			return errors.Join(err, released)
		}
	}
}

// lock takes the lock and returns its identifier. One whose holder shows no life for Retry.Lease is removed.
func (client *Client) lock(ctx context.Context, pull int) (int64, error) {
	var holder int64
	var waited time.Duration
	for {
		id, mine, err := client.tryLock(ctx, pull)
		if status(err) == http.StatusForbidden {
			return noLock, nil
		}
		if err != nil || mine {
			return id, err
		}
		if id != holder {
			holder, waited = id, 0
		}
		if waited >= client.retry.Lease {
			if err := client.unlock(ctx, pull, id); err != nil {
				return 0, err
			}
			continue
		}
		pause := max(client.retry.Lease/lockPause, time.Millisecond)
		if err := client.retry.Sleep(ctx, pause); err != nil {
			return 0, err
		}
		waited += pause
	}
}

// tryLock reports whether the lock was taken by this call. After an answer that got lost it counts as another's.
func (client *Client) tryLock(ctx context.Context, pull int) (id int64, mine bool, err error) {
	err = client.do(ctx, fmt.Sprintf("lock pull request %d", pull), func() error {
		reaction, response, err := client.github.Reactions.CreateIssueReaction(ctx, client.owner, client.name, pull,
			lockReaction)
		if err != nil {
			return err
		}
		id, mine = reaction.GetID(), response.StatusCode == http.StatusCreated
		return nil
	})
	return id, mine, err
}

// unlock removes the lock, unless it is gone.
func (client *Client) unlock(ctx context.Context, pull int, id int64) error {
	if id == noLock {
		return nil
	}
	ctx = context.WithoutCancel(ctx) // a lock that is kept makes everybody else wait for its lease
	return client.do(ctx, fmt.Sprintf("unlock pull request %d", pull), func() error {
		_, err := client.github.Reactions.DeleteIssueReaction(ctx, client.owner, client.name, pull, id)
		if Gone(err) {
			return nil
		}
		return err
	})
}
