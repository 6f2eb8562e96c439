package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/internal/bus"
)

// WorkerConnection returns the name of a worker's connection, which distinguishes it from others with its credential.
func WorkerConnection(name, host string) string { return "prover worker " + name + "/" + host }

// Door controls access to a server.
type Door interface {
	Refuse(role, connection string) error // an empty connection means all connections of the role
	Admit(role, connection string)
}

// Guard keeps excluded workers away from the server until the context ends. A worker with its own credential loses it,
// so it cannot return under another host name. For a shared credential, only the connections of the host are closed.
//
// Guard acts only on entries signed by clients, and only on entries about workers: a client cannot be excluded. own
// returns the current names of workers with their own credential.
func (s *Space) Guard(ctx context.Context, door Door, own func() ([]string, error), say func(line string)) error {
	entries, err := s.exclusions.Watch(ctx, "*.*", say)
	if err != nil {
		return fmt.Errorf("watch excluded workers: %w", err)
	}
	g := &guard{space: s, door: door, own: own, say: say, out: map[string]bool{}}
	for entry := range entries {
		if entry == nil {
			continue
		}
		if err := g.note(entry); err != nil {
			return err
		}
	}
	return nil
}

// guard knows the workers that are excluded.
type guard struct {
	space *Space
	door  Door
	own   func() ([]string, error)
	say   func(line string)
	out   map[string]bool // by NAME.HOST
}

func (g *guard) note(entry *bus.Entry) error {
	worker := entry.Key
	role, host, _ := strings.Cut(worker, ".")
	out := false
	if !entry.Deleted {
		refusal := new(ExcludedError)
		if err := g.space.exclusionOf(worker, entry); errors.As(err, &refusal) {
			out = true
		} else if err != nil {
			return err
		} else {
			g.say(fmt.Sprintf("worker %s: an entry says that it is excluded, which no client signed: it is ignored", worker))
		}
	}
	if out == g.out[worker] {
		return nil
	}
	names, err := g.own()
	if err != nil {
		return err
	}
	if !slices.Contains(names, role) {
		g.say(fmt.Sprintf("worker %s: an entry says that it is excluded, and there is no worker %s: it is ignored", worker,
			role))
		return nil
	}
	g.out[worker] = out
	connection := WorkerConnection(role, host)
	if role != WorkerRole {
		connection = ""
	}
	// Report after the fact: the reader may connect at once.
	if out {
		if err := g.door.Refuse(role, connection); err != nil {
			return err
		}
		g.say(fmt.Sprintf("worker %s is excluded: the server refuses it", worker))
		return nil
	}
	if role == WorkerRole || !g.anyHost(role) {
		g.door.Admit(role, connection)
	}
	g.say(fmt.Sprintf("worker %s is admitted again", worker))
	return nil
}

// anyHost reports whether a credential is excluded on any host.
func (g *guard) anyHost(role string) bool {
	for worker, out := range g.out {
		if name, _, _ := strings.Cut(worker, "."); out && name == role {
			return true
		}
	}
	return false
}
