package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// lockReaction is the reaction to a pull request that serves as its lock. An account can add each reaction only once,
// and GitHub answers 201 if the call created it and 200 if it existed. This is the only test-and-set operation in the
// API, and it causes no notification.
const lockReaction = "rocket"

// lockPause is the time between two attempts to acquire a lock, as a fraction 1/lockPause of Retry.Lease.
const lockPause = 120

// noLock is the ID of no reaction.
const noLock = 0

// Exclusively runs section while no other client of the same account runs one for the same pull request. A lock held
// longer than Retry.Lease is considered abandoned and is broken. Therefore section is cancelled after half of that
// time, and then run again under a new lock: it must be idempotent.
//
// If the token may not react to the pull request, section runs without a lock: losing an update of a concurrent writer
// is better than not answering.
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

// lock acquires the lock and returns its ID. It removes a lock whose holder shows no activity for Retry.Lease.
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

// tryLock reports whether this call acquired the lock. If the response is lost, the lock counts as another client's.
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

// unlock releases the lock, if it still exists.
func (client *Client) unlock(ctx context.Context, pull int, id int64) error {
	if id == noLock {
		return nil
	}
	ctx = context.WithoutCancel(ctx) // otherwise all others wait for the lease to expire
	return client.do(ctx, fmt.Sprintf("unlock pull request %d", pull), func() error {
		_, err := client.github.Reactions.DeleteIssueReaction(ctx, client.owner, client.name, pull, id)
		if Gone(err) {
			return nil
		}
		return err
	})
}
