package roster

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/gofrs/flock"
	"github.com/nats-io/nkeys"

	"github.com/chiasmus/chiasmus/internal/bus"
)

// Member is the holder of a credential: its name, and the kind of its role.
type Member struct {
	Name, Kind string
	Public     string // the key by which the server knows it; empty for a member to be created
}

// Credentials is a folder with the members of a server. Each member has two files:
//
//	NAME.pub  its kind and its public key, which is all that the server needs
//	NAME.nk   its secret, which can be moved to the holder's host
//
// orders.key is the seed that signs orders. Members of ordering kinds get the seed with their secret, all others its
// public key. The folder may change while a server runs: the server rereads it.
type Credentials struct {
	folder string
	orders []string // kinds of members that may order
}

// Open opens the folder of a server's members, and creates it if it does not exist. Members of the ordering kinds may
// sign orders.
func Open(folder string, ordering ...string) (*Credentials, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	return &Credentials{folder, ordering}, nil
}

// Find opens the folder of a server's members if it exists.
func Find(folder string, ordering ...string) (*Credentials, error) {
	if _, err := os.Stat(folder); err != nil {
		return nil, fmt.Errorf("there are no credentials: %w", err)
	}
	return Open(folder, ordering...)
}

// Folder returns the folder of credentials in a server's folder.
func Folder(store string) string { return filepath.Join(store, "credentials") }

const (
	secretExtension = ".nk"
	publicExtension = ".pub"
	ordersFile      = "orders.key"
)

// File returns the path of a member's secret in the folder of credentials.
func File(folder, name string) string { return filepath.Join(folder, name+secretExtension) }

func (c *Credentials) public(name string) string {
	return filepath.Join(c.folder, name+publicExtension)
}

var memberName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`) })

// Add creates a member's credential and returns the path of its secret. An existing member is an error.
func (c *Credentials) Add(m Member) (path string, err error) {
	err = c.locked(func() error {
		if _, err := os.Lstat(c.public(m.Name)); err == nil {
			return fmt.Errorf("%s: there is a credential of that name: remove it first", m.Name)
		}
		path, err = c.ensure(m)
		return err
	})
	return path, err
}

// Ensure creates a member's credential unless it exists. If an earlier release created only the secret, Ensure adds
// what is missing.
func (c *Credentials) Ensure(m Member) error {
	return c.locked(func() error {
		if known, err := c.read(m.Name); err == nil {
			if known.Kind != m.Kind {
				return fmt.Errorf("%s is the credential of a %s, not of a %s", m.Name, known.Kind, m.Kind)
			}
			return nil
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		_, err := c.ensure(m)
		return err
	})
}

// ensure writes a member's files. It keeps an existing secret.
func (c *Credentials) ensure(m Member) (path string, err error) {
	if !memberName().MatchString(m.Name) {
		return "", fmt.Errorf("credential %q: want 1 to 64 letters, digits, - and _", m.Name)
	}
	orders, err := c.OrderKey()
	if err != nil {
		return "", err
	}
	path = File(c.folder, m.Name)
	credential := &bus.Credential{}
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		credential.User, err = nkeys.CreateUser()
	case err == nil:
		credential, err = bus.ParseCredential(text)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	credential.Name = m.Name
	if credential.From, err = orders.PublicKey(); err != nil {
		return "", err
	}
	credential.Orders = nil
	if slices.Contains(c.orders, m.Kind) {
		credential.Orders = orders
	}
	if text, err = credential.MarshalText(); err != nil {
		return "", err
	}
	public, err := credential.Public()
	if err != nil {
		return "", err
	}
	return path, errors.Join(writeFile(path, text, 0o600),
		writeFile(c.public(m.Name), fmt.Appendf(nil, "kind %s\nkey %s\n", m.Kind, public), 0o600))
}

// OrderKey returns the key that signs orders, and creates it if it does not exist.
func (c *Credentials) OrderKey() (nkeys.KeyPair, error) {
	path := filepath.Join(c.folder, ordersFile)
	seed, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		pair, err := nkeys.CreateOperator()
		if err != nil {
			return nil, err
		}
		if seed, err = pair.Seed(); err != nil {
			return nil, err
		}
		return pair, writeFile(path, append(seed, '\n'), 0o600)
	}
	if err != nil {
		return nil, err
	}
	pair, err := nkeys.FromSeed([]byte(strings.TrimSpace(string(seed))))
	if err != nil {
		return nil, fmt.Errorf("%s: %w: want the seed of an NKey, a line that begins with SO", path, err)
	}
	return pair, nil
}

// Remove deletes a member's credential. Within about a second a running server no longer accepts it.
func (c *Credentials) Remove(name string) error {
	return c.locked(func() error {
		if _, err := c.read(name); err != nil {
			return fmt.Errorf("%s: no credential has that name: %w", name, err)
		}
		err := os.Remove(c.public(name))
		if secret := os.Remove(File(c.folder, name)); !errors.Is(secret, fs.ErrNotExist) {
			err = errors.Join(err, secret)
		}
		return err
	})
}

// List returns the members in the order of their names.
func (c *Credentials) List() (list []Member, err error) {
	entries, err := os.ReadDir(c.folder)
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		name, ok := strings.CutSuffix(entry.Name(), publicExtension)
		if !ok {
			continue
		}
		m, err := c.read(name)
		if errors.Is(err, fs.ErrNotExist) { // removed meanwhile
			continue
		}
		if err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	slices.SortFunc(list, func(a, b Member) int { return cmp.Compare(a.Name, b.Name) })
	return list, nil
}

// read reads a member's public file.
func (c *Credentials) read(name string) (m Member, err error) {
	if !memberName().MatchString(name) {
		return m, fmt.Errorf("credential %q: want 1 to 64 letters, digits, - and _", name)
	}
	text, err := os.ReadFile(c.public(name))
	if err != nil {
		return m, err
	}
	m.Name = name
	fields := strings.Fields(string(text))
	if len(fields) != 4 || fields[0] != "kind" || fields[2] != "key" || !nkeys.IsValidPublicUserKey(fields[3]) {
		return m, fmt.Errorf("%s: want two lines: kind KIND, and key with a public NKey", c.public(name))
	}
	m.Kind, m.Public = fields[1], fields[3]
	return m, nil
}

// locked calls do while no other process holds the folder's lock.
func (c *Credentials) locked(do func() error) (err error) {
	lock := flock.New(filepath.Join(c.folder, "lock"))
	if err := lock.Lock(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	return do()
}

// writeFile writes a whole file or nothing.
func writeFile(path string, data []byte, mode os.FileMode) error {
	partial := path + ".partial"
	if err := os.Remove(partial); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	file, err := os.OpenFile(partial, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	return os.Rename(partial, path)
}
