package server

import (
	"encoding/base64"
	"errors"
	"fmt"
	"sync"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"
)

// gate lets in who has a role's credential, unless that is refused. The library's own list of keys cannot change while
// a server runs but by reading all its options anew, and knows nothing of names.
type gate struct {
	keys map[string]string // public keys, by role
	may  map[string]*natsserver.User

	mu      sync.Mutex
	refused map[client]bool
}

// client is a role, and where it is not the whole of it the name of its connections.
type client struct{ role, name string }

func newGate(folder string, roles []Role) (*gate, error) {
	g := &gate{keys: map[string]string{}, may: map[string]*natsserver.User{}, refused: map[client]bool{}}
	for _, role := range roles {
		public, err := credential(CredentialFile(folder, role.Name))
		if err != nil {
			return nil, fmt.Errorf("role %s: %w", role.Name, err)
		}
		g.keys[role.Name] = public
		g.may[public] = &natsserver.User{Username: role.Name, Permissions: role.permissions()}
	}
	return g, nil
}

// Check is asked about each connection: its owner signs what the server drew for it.
func (g *gate) Check(c natsserver.ClientAuthentication) bool {
	said := c.GetOpts()
	user := g.may[said.Nkey]
	if user == nil || !signed(said.Nkey, c.GetNonce(), said.Sig) || g.refuses(user.Username, said.Name) {
		return false
	}
	c.RegisterUser(user)
	return true
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

func (g *gate) refuses(role, name string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.refused[client{role, ""}] || g.refused[client{role, name}]
}

func (g *gate) refuse(c client, yes bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if yes {
		g.refused[c] = true
	} else {
		delete(g.refused, c)
	}
}

// Refuse lets a role's credential in no more, and ends its connections: those of a name, or all where the name is
// empty. It lasts until [Server.Admit], or the server ends.
func (s *Server) Refuse(role, name string) error {
	s.gate.refuse(client{role, name}, true)
	const all = 1 << 30
	there, err := s.running.Connz(&natsserver.ConnzOptions{Username: true, Limit: all})
	if err != nil {
		return err
	}
	var errs []error
	for _, c := range there.Conns {
		if c.AuthorizedUser == s.gate.keys[role] && (name == "" || c.Name == name) {
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
func (s *Server) Admit(role, name string) { s.gate.refuse(client{role, name}, false) }
