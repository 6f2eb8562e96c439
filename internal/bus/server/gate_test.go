package server

import (
	"encoding/base64"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"github.com/chiasmus/chiasmus/internal/bus"
	"github.com/chiasmus/chiasmus/internal/bus/roster"
)

// Only the key's owner can sign the random challenge.
func TestSigned(t *testing.T) {
	owner, err := nkeys.CreateUser()
	must(t, err)
	other, err := nkeys.CreateUser()
	must(t, err)
	public, err := owner.PublicKey()
	must(t, err)
	sign := func(by nkeys.KeyPair, drawn string) string {
		signature, err := by.Sign([]byte(drawn))
		must(t, err)
		return base64.RawURLEncoding.EncodeToString(signature)
	}
	if !signed(public, []byte("drawn"), sign(owner, "drawn")) {
		t.Error("the owner's signature is refused")
	}
	for name, tc := range map[string]struct{ public, drawn, signature string }{
		"another's":            {public, "drawn", sign(other, "drawn")},
		"of another challenge": {public, "drawn", sign(owner, "earlier")},
		"of nothing":           {public, "", sign(owner, "")},
		"none":                 {public, "drawn", ""},
		"no base64":            {public, "drawn", "!"},
		"without a key":        {"", "drawn", sign(owner, "drawn")},
	} {
		if signed(tc.public, []byte(tc.drawn), tc.signature) {
			t.Errorf("%s: it is accepted", name)
		}
	}
}

var trusted = map[string]func(string) roster.Role{
	"trusted": func(string) roster.Role { return roster.Role{Trusted: true, Publish: []string{">"}} },
}

func members(names ...string) (list []roster.Member) {
	for _, name := range names {
		list = append(list, roster.Member{Name: name, Kind: "trusted"})
	}
	return list
}

// Knowing a credential's public key alone is not enough to connect.
func TestPublicKeyIsNoCredential(t *testing.T) {
	s, err := Start(Options{
		Listen: "127.0.0.1:0", Folder: t.TempDir(), Kinds: trusted, Members: members("one"), StoreBytes: 1 << 20,
	})
	must(t, err)
	defer s.Close()
	other, err := nkeys.CreateUser()
	must(t, err)
	one, err := bus.ReadCredential(s.Credential("one"))
	must(t, err)
	public, err := one.Public()
	must(t, err)
	conn, err := nats.Connect(s.URL(), nats.Nkey(public, other.Sign))
	if !errors.Is(err, nats.ErrAuthorization) {
		t.Errorf("it may connect (%v)", err)
		conn.Close()
	}
}

// The search for connections without a credential skips those that are still in their handshake.
func TestHandshakeIsNotExpelled(t *testing.T) {
	s, err := Start(Options{
		Listen: "127.0.0.1:0", Folder: t.TempDir(), Kinds: trusted, Members: members("one"), StoreBytes: 1 << 20,
	})
	must(t, err)
	defer s.Close()
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL(), "nats://"))
	must(t, err)
	defer conn.Close()
	must(t, conn.SetReadDeadline(time.Now().Add(expelEvery+expelEvery/2))) // below the timeout of a handshake
	received, err := io.ReadAll(conn)
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the server closed a connection that was about to authenticate itself, after %q (%v)", received, err)
	}
}

// An excluded member loses its connection and gets no other until it is readmitted; others keep theirs.
func TestRefuse(t *testing.T) {
	s, err := Start(Options{
		Listen: "127.0.0.1:0", Folder: t.TempDir(), Kinds: trusted, Members: members("one", "many"), StoreBytes: 1 << 20,
	})
	must(t, err)
	defer s.Close()
	dial := func(role, name string) (*bus.Bus, error) {
		return bus.Dial(bus.Options{URL: s.URL(), Credential: s.Credential(role), Name: name})
	}
	for name, tc := range map[string]struct {
		role, name string // that is refused
		others     [][2]string
	}{
		"a credential":         {"one", "", [][2]string{{"many", "a"}}},
		"a connection by name": {"many", "a", [][2]string{{"many", "b"}, {"one", "a"}}},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := dial(tc.role, "a")
			must(t, err)
			defer out.Close()
			var kept []*bus.Bus
			for _, other := range tc.others {
				b, err := dial(other[0], other[1])
				must(t, err)
				defer b.Close()
				kept = append(kept, b)
			}
			must(t, s.Refuse(tc.role, tc.name))
			for deadline := time.Now().Add(5 * time.Minute); !out.Conn.IsClosed(); time.Sleep(10 * time.Millisecond) {
				if time.Now().After(deadline) {
					t.Fatal("its client keeps trying")
				}
			}
			_, err = dial(tc.role, "a")
			if !errors.Is(err, nats.ErrAuthorization) || !strings.Contains(err.Error(), "removed or refused") {
				t.Errorf("refused with %v", err)
			}
			for _, b := range kept {
				must(t, b.Conn.Flush())
				if b.Conn.Stats().Reconnects != 0 {
					t.Errorf("%s lost its connection too", b.Conn.Opts.Name)
				}
			}
			s.Admit(tc.role, tc.name)
			back, err := dial(tc.role, "a")
			must(t, err)
			back.Close()
		})
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
