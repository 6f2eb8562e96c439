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

// AccessControl closes and reopens a server to a credential.
type AccessControl interface {
	// Refuse closes the connections of this name and rejects new ones; an empty name means all connections of the role.
	Refuse(role, connection string) error
	Admit(role, connection string)
}

// Guard keeps excluded workers away from the server until the context ends. A worker with its own credential loses it,
// so it cannot return under another host name. For a shared credential, only the connections of the host are closed.
//
// Guard acts only on entries signed by clients, and only on entries about workers: a client cannot be excluded. own
// returns the current names of workers with their own credential.
func (s *Space) Guard(ctx context.Context, access AccessControl, own func() ([]string, error),
	say func(line string)) error {
	entries, err := s.exclusions.Watch(ctx, "*.*", say)
	if err != nil {
		return fmt.Errorf("watch excluded workers: %w", err)
	}
	g := &guard{space: s, access: access, own: own, say: say, out: map[string]bool{}}
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

// guard tracks the excluded workers.
type guard struct {
	space  *Space
	access AccessControl
	own    func() ([]string, error)
	say    func(line string)
	out    map[string]bool // by NAME.HOST
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
			g.say(fmt.Sprintf("ignoring the exclusion of worker %s: no client signed the entry", worker))
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
		g.say(fmt.Sprintf("ignoring the exclusion of worker %s: no worker is named %s", worker, role))
		return nil
	}
	g.out[worker] = out
	connection := WorkerConnection(role, host)
	if role != WorkerRole {
		connection = ""
	}
	// Report after the fact: the reader may connect at once.
	if out {
		if err := g.access.Refuse(role, connection); err != nil {
			return err
		}
		g.say(fmt.Sprintf("worker %s is excluded: the server rejects its connections", worker))
		return nil
	}
	if role == WorkerRole || !g.anyHost(role) {
		g.access.Admit(role, connection)
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
