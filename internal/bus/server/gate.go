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

// gate lets in who has a member's credential, unless that is refused. The library's own list of keys cannot change
// while a server runs but by reading all its options anew, and knows nothing of names.
type gate struct {
	credentials *roster.Credentials
	kinds       map[string]func(name string) roster.Role
	running     *natsserver.Server
	inside      string // public key of the serving process, which may do everything

	mu       sync.Mutex
	members  map[string]roster.Member // by public key
	users    map[string]*natsserver.User
	exported map[string]bool // subjects that the streams' account offers to others
	refused  map[client]bool
}

// client is a member, and where it is not the whole of it the name of its connections.
type client struct{ member, name string }

func newGate(c *roster.Credentials, kinds map[string]func(name string) roster.Role, inside string) (*gate, error) {
	g := &gate{
		credentials: c, kinds: kinds, inside: inside, members: map[string]roster.Member{},
		users: map[string]*natsserver.User{}, exported: map[string]bool{}, refused: map[client]bool{},
	}
	return g, g.reload()
}

// reload reads the members anew.
func (g *gate) reload() error {
	list, err := g.credentials.List()
	if err != nil {
		return err
	}
	members := map[string]roster.Member{}
	for _, m := range list {
		if g.kinds[m.Kind] == nil {
			return fmt.Errorf("credential %s is of a %q, which this server does not have", m.Name, m.Kind)
		}
		members[m.Public] = m
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.members = members
	maps.DeleteFunc(g.users, func(public string, _ *natsserver.User) bool { _, still := members[public]; return !still })
	return nil
}

// Check is asked about each connection: its owner signs what the server drew for it.
func (g *gate) Check(c natsserver.ClientAuthentication) bool {
	said := c.GetOpts()
	if !signed(said.Nkey, c.GetNonce(), said.Sig) {
		return false
	}
	if said.Nkey == g.inside {
		c.RegisterUser(&natsserver.User{Username: "server"})
		return true
	}
	if err := g.reload(); err != nil { // a credential that was added or removed counts from now on
		return false
	}
	user, err := g.user(said.Nkey, said.Name)
	if user == nil || err != nil {
		return false
	}
	c.RegisterUser(user)
	return true
}

// user is what the server knows a member by, or nil where nobody has the key or the member is refused.
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

// account is a member's own, with what it may publish and subscribe to imported from the account of the streams.
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

// signed reports whether a signature is of what was drawn. Nothing drawn is nothing signed.
func signed(public string, drawn []byte, signature string) bool {
	bytes, err := base64.RawURLEncoding.DecodeString(signature)
	if err != nil || len(drawn) == 0 {
		return false
	}
	key, err := nkeys.FromPublicKey(public)
	return err == nil && key.Verify(drawn, bytes) == nil
}

// refuse notes what a client may no more, or may again.
func (g *gate) refuse(c client, yes bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if yes {
		g.refused[c] = true
	} else {
		delete(g.refused, c)
	}
}

// Refuse lets a member's credential in no more, and ends its connections: those of a name, or all where the name is
// empty. It lasts until [Server.Admit], or the server ends.
func (s *Server) Refuse(member, name string) error {
	s.gate.refuse(client{member, name}, true)
	return s.disconnectAll(func(public, connection string) bool {
		return s.gate.nameOf(public) == member && (name == "" || connection == name)
	})
}

// nameOf is the name of the member with a key.
func (g *gate) nameOf(public string) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.members[public].Name
}

// disconnectAll ends the connections of which this is true.
func (s *Server) disconnectAll(of func(public, connection string) bool) error {
	const all = 1 << 30
	there, err := s.running.Connz(&natsserver.ConnzOptions{Username: true, Limit: all})
	if err != nil {
		return err
	}
	var errs []error
	for _, c := range there.Conns {
		if of(c.AuthorizedUser, c.Name) {
			errs = append(errs, s.disconnect(c.Cid))
		}
	}
	return errors.Join(errs...)
}

// disconnect ends a connection. One that has ended by itself since is no error.
func (s *Server) disconnect(id uint64) error {
	if s.running.GetClient(id) == nil {
		return nil
	}
	return s.running.DisconnectClientByID(id)
}

// Admit takes back what [Server.Refuse] was told.
func (s *Server) Admit(member, name string) { s.gate.refuse(client{member, name}, false) }

// expelEvery is how often a server looks for connections whose credential was removed.
const expelEvery = time.Second

// expel ends the connections of members whose credential was removed, until the server ends. A folder that cannot be
// read lets nobody new in, and expels nobody.
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
			return public != s.gate.inside && s.gate.nameOf(public) == ""
		})
	}
}
