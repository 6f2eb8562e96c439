package server

import (
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"

	"github.com/chiasmus/chiasmus/internal/bus/roster"
)

// gate admits the holders of members' credentials, unless a member is refused. The library's own list of keys can
// change only when a running server rereads all options, and it has no names.
type gate struct {
	credentials *roster.Credentials
	kinds       map[string]func(name string) roster.Role
	running     *natsserver.Server
	inside      string // public key of the serving process, which may do everything

	mu       sync.Mutex
	members  map[string]roster.Member // by public key
	users    map[string]*natsserver.User
	exported map[string]bool // subjects that the streams' account exports
	refused  map[client]bool
}

// client is a member, or its connections of one name.
type client struct{ member, name string }

func newGate(c *roster.Credentials, kinds map[string]func(name string) roster.Role, inside string) (*gate, error) {
	g := &gate{
		credentials: c, kinds: kinds, inside: inside, members: map[string]roster.Member{},
		users: map[string]*natsserver.User{}, exported: map[string]bool{}, refused: map[client]bool{},
	}
	return g, g.reload()
}

// reload rereads the members.
func (g *gate) reload() error {
	list, err := g.credentials.List()
	if err != nil {
		return err
	}
	members := map[string]roster.Member{}
	for _, m := range list {
		if g.kinds[m.Kind] == nil {
			return fmt.Errorf("credential %s has the kind %q, which this server does not have", m.Name, m.Kind)
		}
		members[m.Public] = m
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.members = members
	maps.DeleteFunc(g.users, func(public string, _ *natsserver.User) bool { _, still := members[public]; return !still })
	return nil
}

// Check is called for each connection: the client must have signed the server's challenge.
func (g *gate) Check(c natsserver.ClientAuthentication) bool {
	said := c.GetOpts()
	if !signed(said.Nkey, c.GetNonce(), said.Sig) {
		return false
	}
	if said.Nkey == g.inside {
		c.RegisterUser(&natsserver.User{Username: "server"})
		return true
	}
	if err := g.reload(); err != nil { // reads added and removed credentials
		return false
	}
	user, err := g.user(said.Nkey, said.Name)
	if user == nil || err != nil {
		return false
	}
	c.RegisterUser(user)
	return true
}

// user returns the server's user for a public key, or nil if no member has the key or the member is refused.
func (g *gate) user(public, connection string) (*natsserver.User, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	m, known := g.members[public]
	if !known || g.refused[client{m.Name, ""}] || g.refused[client{m.Name, connection}] {
		return nil, nil
	}
	if user := g.users[public]; user != nil {
		return user, nil
	}
	role := g.kinds[m.Kind](m.Name)
	user := &natsserver.User{Username: m.Name, Permissions: permissions(&role, public)}
	if !role.Trusted {
		var err error
		if user.Account, err = g.account(m, &role); err != nil {
			return nil, err
		}
	}
	g.users[public] = user
	return user, nil
}

// account returns a member's own account, into which the subjects of its role are imported from the account of the
// streams.
func (g *gate) account(m roster.Member, role *roster.Role) (*natsserver.Account, error) {
	account, isNew := g.running.LookupOrRegisterAccount(m.Kind + " " + m.Name)
	if !isNew {
		return account, nil
	}
	streams := g.running.GlobalAccount()
	for _, subject := range role.Publish {
		if !g.exported["service "+subject] {
			if err := streams.AddServiceExport(subject, nil); err != nil {
				return nil, err
			}
			g.exported["service "+subject] = true
		}
		if err := account.AddServiceImport(streams, subject, subject); err != nil {
			return nil, err
		}
	}
	for _, subject := range role.Subscribe {
		if !g.exported["stream "+subject] {
			if err := streams.AddStreamExport(subject, nil); err != nil {
				return nil, err
			}
			g.exported["stream "+subject] = true
		}
		if err := account.AddStreamImport(streams, subject, ""); err != nil {
			return nil, err
		}
	}
	return account, nil
}

// signed reports whether a signature of the challenge is valid. An empty challenge is never signed.
func signed(public string, drawn []byte, signature string) bool {
	bytes, err := base64.RawURLEncoding.DecodeString(signature)
	if err != nil || len(drawn) == 0 {
		return false
	}
	key, err := nkeys.FromPublicKey(public)
	return err == nil && key.Verify(drawn, bytes) == nil
}

// refuse records that a client is refused, or no longer refused.
func (g *gate) refuse(c client, yes bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if yes {
		g.refused[c] = true
	} else {
		delete(g.refused, c)
	}
}

// Refuse stops accepting a member's credential and closes its connections: the connections of a name, or all if the
// name is empty. It lasts until [Server.Admit] or the end of the server.
func (s *Server) Refuse(member, name string) error {
	s.gate.refuse(client{member, name}, true)
	return s.disconnectAll(func(public, connection string) bool {
		return s.gate.nameOf(public) == member && (name == "" || connection == name)
	})
}

// nameOf returns the name of the member with a key.
func (g *gate) nameOf(public string) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.members[public].Name
}

// disconnectAll closes the connections for which selected returns true.
func (s *Server) disconnectAll(selected func(public, connection string) bool) error {
	const all = 1 << 30
	open, err := s.running.Connz(&natsserver.ConnzOptions{Username: true, Limit: all})
	if err != nil {
		return err
	}
	var errs []error
	for _, c := range open.Conns {
		if selected(c.AuthorizedUser, c.Name) {
			errs = append(errs, s.disconnect(c.Cid))
		}
	}
	return errors.Join(errs...)
}

// disconnect closes a connection. A connection that has already ended is not an error.
func (s *Server) disconnect(id uint64) error {
	if s.running.GetClient(id) == nil {
		return nil
	}
	return s.running.DisconnectClientByID(id)
}

// Admit undoes [Server.Refuse].
func (s *Server) Admit(member, name string) { s.gate.refuse(client{member, name}, false) }

// expelEvery is the interval at which a server looks for connections whose credential was removed.
const expelEvery = time.Second

// expel closes the connections of members whose credential was removed, until the server ends. If the folder cannot be
// read, new members are not admitted and no member is expelled.
func (s *Server) expel() {
	for {
		select {
		case <-s.ended:
			return
		case <-time.After(expelEvery):
		}
		if s.gate.reload() != nil {
			continue
		}
		_ = s.disconnectAll(func(public, _ string) bool {
			authenticated := public != "" // a connection has no key until its handshake has ended
			return authenticated && public != s.gate.inside && s.gate.nameOf(public) == ""
		})
	}
}
