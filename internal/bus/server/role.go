package server

import (
	natsserver "github.com/nats-io/nats-server/v2/server"

	"github.com/chiasmus/chiasmus/internal/bus"
	"github.com/chiasmus/chiasmus/internal/bus/roster"
)

// permissions converts a role for the server.
func permissions(r *roster.Role, public string) *natsserver.Permissions {
	inbox := bus.InboxPrefix(public) + ".>"
	return &natsserver.Permissions{
		Publish:   &natsserver.SubjectPermission{Allow: r.Publish, Deny: none(r.Publish)},
		Subscribe: &natsserver.SubjectPermission{Allow: append([]string{inbox}, r.Subscribe...)},
	}
}

// none denies everything if nothing is allowed: the server takes an empty list to allow everything.
func none(allowed []string) []string {
	if len(allowed) == 0 {
		return []string{">"}
	}
	return nil
}
