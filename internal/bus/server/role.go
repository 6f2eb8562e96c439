package server

import (
	natsserver "github.com/nats-io/nats-server/v2/server"

	"github.com/chiasmus/chiasmus/internal/bus"
	"github.com/chiasmus/chiasmus/internal/bus/roster"
)

// permissions are a role's as the server wants them.
func permissions(r *roster.Role, public string) *natsserver.Permissions {
	inbox := bus.InboxPrefix(public) + ".>"
	return &natsserver.Permissions{
		Publish:   &natsserver.SubjectPermission{Allow: r.Publish, Deny: none(r.Publish)},
		Subscribe: &natsserver.SubjectPermission{Allow: append([]string{inbox}, r.Subscribe...)},
	}
}

// none denies all where nothing is allowed: to the server an empty list allows all.
func none(allowed []string) []string {
	if len(allowed) == 0 {
		return []string{">"}
	}
	return nil
}
