package cluster

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/nats-io/nats.go/jetstream"
)

// WorkerConnection is what a worker's connection is called, by which a server knows it from others of its credential.
func WorkerConnection(name, host string) string { return "prover worker " + name + "/" + host }

// Door is what a server does with who comes.
type Door interface {
	Refuse(role, connection string) error // an empty connection is all of the role's
	Admit(role, connection string)
}

// Guard keeps who is shut out from the server, until the context ends. Whose credential is its own loses that: it can
// come back under no name of a host. Of the credential that workers share, the connections of the host go.
func (s *Space) Guard(ctx context.Context, door Door, say func(line string)) error {
	watcher, err := s.shutOut.Watch(ctx, "*.*")
	if err != nil {
		return fmt.Errorf("who is shut out: %w", err)
	}
	defer func() { _ = watcher.Stop() }()
	g := &guard{door: door, say: say, out: map[string]int{}}
	for {
		select {
		case entry, ok := <-watcher.Updates():
			switch {
			case !ok && ctx.Err() != nil:
				return nil
			case !ok:
				return errors.New("who is shut out: the server says it no longer")
			}
			if entry == nil {
				continue
			}
			if err := g.note(entry); err != nil {
				return err
			}
		case <-ctx.Done():
			return nil
		}
	}
}

// guard knows of each credential that is a worker's own how many hosts it is shut out with.
type guard struct {
	door Door
	say  func(line string)
	out  map[string]int
}

func (g *guard) note(entry jetstream.KeyValueEntry) error {
	role, host, _ := strings.Cut(entry.Key(), ".")
	connection, change := WorkerConnection(role, host), 1
	if entry.Operation() != jetstream.KeyValuePut {
		change = -1
	}
	if role != WorkerRole {
		connection = ""
		g.out[role] += change
	}
	// What is said has happened: who hears it may come at once.
	if change > 0 {
		if err := g.door.Refuse(role, connection); err != nil {
			return err
		}
		g.say(fmt.Sprintf("worker %s is shut out: the server refuses it", entry.Key()))
		return nil
	}
	if g.out[role] <= 0 {
		g.door.Admit(role, connection)
	}
	g.say(fmt.Sprintf("worker %s is let in again", entry.Key()))
	return nil
}
