package server

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/gofrs/flock"
	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"

	"github.com/chiasmus/chiasmus/internal/bus"
	"github.com/chiasmus/chiasmus/internal/bus/roster"
)

// Options configure a server.
type Options struct {
	Listen string // HOST:PORT; port 0 chooses a free one
	Folder string // created if it does not exist; used by one server at a time

	// Kinds maps the kinds of members to the role of a member with a given name. Members of the Ordering kinds sign
	// orders.
	Kinds    map[string]func(name string) roster.Role
	Ordering []string
	Members  []roster.Member // created if they do not exist

	Certificate, Key string // PEM files; both empty: connections are not encrypted
	StoreBytes       int64  // limit on what JetStream stores in the folder
}

// Server is a running server.
type Server struct {
	running *natsserver.Server
	gate    *gate
	lock    *flock.Flock
	folder  string
	inside  *bus.Credential
	ended   chan struct{}
	expels  sync.WaitGroup
}

// startTimeout bounds the time until a server answers, which includes reading what it stored.
const startTimeout = 30 * time.Second

// Start runs a server in this process.
func Start(o Options) (_ *Server, err error) {
	options, err := o.native()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(o.Folder, 0o700); err != nil {
		return nil, err
	}
	s := &Server{lock: flock.New(filepath.Join(o.Folder, "lock")), folder: o.Folder, ended: make(chan struct{})}
	switch got, err := s.lock.TryLock(); {
	case err != nil:
		return nil, err
	case !got:
		return nil, fmt.Errorf("%s: another server has this folder", o.Folder)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.lock.Unlock())
		}
	}()
	if err := s.admitMembers(&o); err != nil {
		return nil, err
	}
	options.CustomClientAuthentication = s.gate
	if s.running, err = natsserver.NewServer(options); err != nil {
		return nil, fmt.Errorf("server at %s: %w", o.Listen, err)
	}
	s.gate.running = s.running
	trouble := &firstError{}
	s.running.SetLogger(trouble, false, false)
	s.running.Start()
	if !s.running.ReadyForConnections(startTimeout) {
		s.running.Shutdown()
		return nil, fmt.Errorf("server at %s does not start: %w", o.Listen, trouble.err())
	}
	s.expels.Go(s.expel)
	return s, nil
}

// admitMembers creates missing members, and the gate that admits them.
func (s *Server) admitMembers(o *Options) error {
	credentials, err := roster.Open(s.credentials(), o.Ordering...)
	if err != nil {
		return err
	}
	for _, m := range o.Members {
		if err := credentials.Ensure(m); err != nil {
			return err
		}
	}
	orders, err := credentials.OrderKey()
	if err != nil {
		return err
	}
	s.inside = &bus.Credential{Name: "server"}
	if s.inside.From, err = orders.PublicKey(); err != nil {
		return err
	}
	if s.inside.User, err = nkeys.CreateUser(); err != nil {
		return err
	}
	public, err := s.inside.Public()
	if err != nil {
		return err
	}
	s.gate, err = newGate(credentials, o.Kinds, public)
	return err
}

// native converts the options for the library.
func (o *Options) native() (*natsserver.Options, error) {
	host, service, err := net.SplitHostPort(o.Listen)
	if err != nil {
		return nil, fmt.Errorf("address %q: want HOST:PORT", o.Listen)
	}
	port, err := strconv.Atoi(service)
	if err != nil || port < 0 || port > 1<<16-1 {
		return nil, fmt.Errorf("address %q: want a port from 0 to 65535", o.Listen)
	}
	probe, err := net.Listen("tcp", o.Listen) // the library would retry for as long as it waits
	if err != nil {
		return nil, err
	}
	if err := probe.Close(); err != nil {
		return nil, err
	}
	if port == 0 {
		port = natsserver.RANDOM_PORT
	}
	if len(o.Kinds) == 0 {
		return nil, errors.New("a server needs at least one kind of member")
	}
	options := &natsserver.Options{
		ServerName: "chiasmus", Host: host, Port: port, NoSigs: true, MaxPayload: bus.MaxMessageBytes,
		JetStream: true, StoreDir: filepath.Join(o.Folder, "store"), JetStreamMaxStore: o.StoreBytes,
		DisableJetStreamBanner: true, AlwaysEnableNonce: true,
	}
	if o.Certificate == "" && o.Key == "" {
		return options, nil
	}
	if options.TLSConfig, err = natsserver.GenTLSConfig(&natsserver.TLSConfigOpts{
		CertFile: o.Certificate, KeyFile: o.Key,
	}); err != nil {
		return nil, fmt.Errorf("certificate %s with key %s: %w", o.Certificate, o.Key, err)
	}
	options.TLS, options.TLSTimeout = true, handshakeTimeout.Seconds()
	return options, nil
}

const handshakeTimeout = 5 * time.Second

func (s *Server) credentials() string { return roster.Folder(s.folder) }

// URL is the address for clients.
func (s *Server) URL() string { return s.running.ClientURL() }

// Credential returns the path of a member's secret.
func (s *Server) Credential(name string) string { return roster.File(s.credentials(), name) }

// Named returns the names of the current members of a kind.
func (s *Server) Named(kind string) (names []string, err error) {
	list, err := s.gate.credentials.List()
	for _, m := range list {
		if m.Kind == kind {
			names = append(names, m.Name)
		}
	}
	return names, err
}

// Inside connects to the server from its own process, without the network. The connection may do everything. Its key is
// in no file.
func (s *Server) Inside() (*bus.Bus, error) {
	return bus.Dial(bus.Options{URL: "nats://inside", Name: "server", Inside: s.running, Holder: s.inside})
}

// Close ends the server. Its data stays in the folder.
func (s *Server) Close() error {
	select {
	case <-s.ended:
	default:
		close(s.ended)
	}
	s.expels.Wait()
	s.running.Shutdown()
	s.running.WaitForShutdown()
	return s.lock.Unlock()
}
