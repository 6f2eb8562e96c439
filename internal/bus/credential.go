package bus

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
)

// Credential has the keys with which one holder connects and signs. Its file has one line for each field:
//
//	SUAB...                the seed of the NKey that signs the server's challenge
//	name bench-1           the holder's name, which is part of the subjects that it may write
//	orders-with SOAB...    the seed that signs orders, if the holder may order
//	orders-from OAB...     the public key whose orders the holder obeys
type Credential struct {
	Name   string
	User   nkeys.KeyPair // signs the server's challenge
	Orders nkeys.KeyPair // signs orders; nil for holders that may not order
	From   string        // public key whose orders the holder obeys; empty for none
}

// The keywords that start the lines of a credential.
const (
	nameWord   = "name"
	ordersWord = "orders-with"
	fromWord   = "orders-from"
)

// ParseCredential parses the text of a credential's file.
func ParseCredential(text []byte) (*Credential, error) {
	c := new(Credential)
	for number, line := range strings.Split(string(text), "\n") {
		var err error
		switch fields := strings.Fields(line); {
		case len(fields) == 0:
		case len(fields) == 1 && c.User == nil:
			c.User, err = pairOf(fields[0], nkeys.PrefixByteUser, "SU")
		case len(fields) == 2 && fields[0] == nameWord && c.Name == "":
			c.Name = fields[1]
		case len(fields) == 2 && fields[0] == ordersWord && c.Orders == nil:
			c.Orders, err = pairOf(fields[1], nkeys.PrefixByteOperator, "SO")
		case len(fields) == 2 && fields[0] == fromWord && nkeys.IsValidPublicOperatorKey(fields[1]):
			c.From = fields[1]
		default:
			err = fmt.Errorf("want the seed of an NKey, %s, %s or %s", nameWord, ordersWord, fromWord)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number+1, err)
		}
	}
	if c.User == nil {
		return nil, errors.New("it is empty: want a line with the seed of an NKey, which begins with SU")
	}
	return c, nil
}

// pairOf returns the key pair of a seed of a given kind, whose encoding starts with two given letters.
func pairOf(seed string, kind nkeys.PrefixByte, begins string) (nkeys.KeyPair, error) {
	if got, _, err := nkeys.DecodeSeed([]byte(seed)); err != nil || got != kind {
		return nil, fmt.Errorf("want the seed of an NKey, which begins with %s", begins)
	}
	return nkeys.FromSeed([]byte(seed))
}

// MarshalText returns the text of a credential's file.
func (c *Credential) MarshalText() ([]byte, error) {
	seed, err := c.User.Seed()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "%s\n%s %s\n", seed, nameWord, c.Name)
	if c.Orders != nil {
		seed, err := c.Orders.Seed()
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&out, "%s %s\n", ordersWord, seed)
	}
	if c.From != "" {
		fmt.Fprintf(&out, "%s %s\n", fromWord, c.From)
	}
	return out.Bytes(), nil
}

// Public is the public key by which the server knows the holder.
func (c *Credential) Public() (string, error) { return c.User.PublicKey() }

// InboxPrefix is the prefix of the subjects on which the holder of a public key receives answers. The server lets no
// other holder subscribe there.
func InboxPrefix(public string) string { return "_INBOX." + public }

// ReadCredential reads a credential from a file. Only its owner may be able to read the file.
func ReadCredential(path string) (*Credential, error) {
	c, err := readCredential(path)
	if missing := new(fs.PathError); errors.As(err, &missing) {
		err = missing.Err
	}
	if err != nil {
		return nil, fmt.Errorf("credential %s: %w", path, err)
	}
	return c, nil
}

func readCredential(path string) (*Credential, error) {
	if err := ownersAlone(path); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	c, err := ParseCredential(text)
	if err == nil && c.Name == "" {
		err = errors.New("it was written by an earlier release and has no holder's name: start the server once with this " +
			"release, which completes the files in its folder credentials, and copy the file from there")
	}
	return c, err
}

// ownersAlone refuses a credential that others on this host could read, on systems with file modes.
func ownersAlone(path string) error {
	info, err := os.Stat(path)
	if err != nil || runtime.GOOS == "windows" {
		return nil // reading the file reports why
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		return fmt.Errorf("users other than its owner may read or write it (mode %o): want mode 600", mode)
	}
	return nil
}

// options returns the holder's connection options.
func (c *Credential) options() ([]nats.Option, error) {
	public, err := c.Public()
	if err != nil {
		return nil, err
	}
	return []nats.Option{nats.Nkey(public, c.User.Sign), nats.CustomInboxPrefix(InboxPrefix(public))}, nil
}
