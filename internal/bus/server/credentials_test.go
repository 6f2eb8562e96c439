package server_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"github.com/chiasmus/chiasmus/internal/bus"
	"github.com/chiasmus/chiasmus/internal/bus/roster"
	"github.com/chiasmus/chiasmus/internal/bus/server"
)

// eventually waits for a condition, for a generous time.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Minute); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal(what)
		}
	}
}

// A credential can be created and removed while the server runs: its holder can connect at once, and loses its
// connection.
func TestCredentialsChange(t *testing.T) {
	folder := t.TempDir()
	s := start(t, server.Options{Folder: folder})
	c, err := roster.Open(roster.Folder(folder))
	must(t, err)
	path, err := c.Add(roster.Member{Name: "late", Kind: "guest"})
	must(t, err)
	_, err = c.Add(roster.Member{Name: "late", Kind: "guest"})
	refuses(t, err, "late: there is a credential of that name")
	_, err = c.Add(roster.Member{Name: "../up", Kind: "guest"})
	refuses(t, err, "want 1 to 64 letters")
	late, kept := dial(t, s, "late"), dial(t, s, "some")
	names, err := s.Named("guest")
	must(t, err)
	if strings.Join(names, " ") != "late some" {
		t.Errorf("guests are %v", names)
	}
	secret, err := os.ReadFile(path)
	must(t, err)
	away := filepath.Join(t.TempDir(), "late.nk")
	must(t, os.WriteFile(away, secret, 0o600))
	must(t, os.Remove(path)) // the server needs only the public key
	again, err := bus.Dial(bus.Options{URL: s.URL(), Credential: away})
	must(t, err)
	again.Close()

	must(t, c.Remove("late"))
	eventually(t, "a removed credential keeps its connection", late.Conn.IsClosed)
	_, err = bus.Dial(bus.Options{URL: s.URL(), Credential: away})
	refuses(t, err, "is unknown, removed or refused")
	if kept.Conn.Stats().Reconnects != 0 {
		t.Error("another lost its connection")
	}
	refuses(t, c.Remove("late"), "no credential has that name")
}

// A folder of an earlier release is completed: the seed stays, and the file gets the missing fields.
func TestOldFolder(t *testing.T) {
	folder := t.TempDir()
	must(t, os.MkdirAll(roster.Folder(folder), 0o700))
	pair, err := nkeys.CreateUser()
	must(t, err)
	seed, err := pair.Seed()
	must(t, err)
	path := roster.File(roster.Folder(folder), "some")
	must(t, os.WriteFile(path, append(seed, '\n'), 0o600))
	_, err = bus.ReadCredential(path)
	refuses(t, err, "it was written by an earlier release and has no holder")
	s := start(t, server.Options{Folder: folder})
	credential, err := bus.ReadCredential(path)
	must(t, err)
	public, err := pair.PublicKey()
	must(t, err)
	if have, err := credential.Public(); err != nil || have != public || credential.From == "" {
		t.Errorf("the credential is %+v, %v", credential, err)
	}
	dial(t, s, "some")
	must(t, s.Close())
	_, err = server.Start(server.Options{
		Listen: "127.0.0.1:0", Folder: folder, Kinds: kinds, StoreBytes: plenty,
		Members: []roster.Member{{Name: "some", Kind: "trusted"}},
	})
	refuses(t, err, "some is the credential of a guest, not of a trusted")
}

// A file that is not a credential is rejected with the offending line.
func TestParseCredential(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "it is empty",
		"SUAB":                       "line 1: want the seed of an NKey, which begins with SU",
		"name x\nname y":             "line 2: want the seed of an NKey, name, orders-with or orders-from",
		"orders-with SUAB":           "line 1: want the seed of an NKey, which begins with SO",
		"orders-from x":              "line 1: want the seed",
		"name x\norders-from UA\n\n": "line 2: want the seed",
	} {
		_, err := bus.ParseCredential([]byte(text))
		refuses(t, err, want)
	}
}

// Each holder has its own inbox, and receives no other's messages, for every role and also within one account.
func TestInboxes(t *testing.T) {
	folder := t.TempDir()
	narrow := map[string]func(string) roster.Role{
		"narrow": func(string) roster.Role { return roster.Role{Trusted: true, Publish: []string{">"}} },
	}
	s, err := server.Start(server.Options{
		Listen: "127.0.0.1:0", Folder: folder, Kinds: narrow, StoreBytes: plenty,
		Members: []roster.Member{{Name: "one", Kind: "narrow"}, {Name: "two", Kind: "narrow"}},
	})
	must(t, err)
	t.Cleanup(func() { _ = s.Close() })
	denied := make(chan error, 8)
	one, err := bus.Dial(bus.Options{URL: s.URL(), Credential: s.Credential("one"), Denied: func(err error) {
		denied <- err
	}})
	must(t, err)
	defer one.Close()
	two := dial(t, s, "two")
	inbox := two.Conn.NewInbox()
	for _, subject := range []string{inbox, "_INBOX.>", ">", "*.*.*"} {
		if _, err := one.Conn.SubscribeSync(subject); err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-denied:
			if !errors.Is(err, nats.ErrPermissionViolation) || !strings.Contains(err.Error(), `"`+subject+`"`) {
				t.Error(err)
			}
		case <-time.After(5 * time.Minute):
			t.Errorf("%s may be heard", subject)
		}
	}
	heard, err := two.Conn.SubscribeSync(inbox)
	must(t, err)
	must(t, two.Conn.Flush())
	must(t, one.Conn.Publish(inbox, nil))
	_, err = heard.NextMsg(5 * time.Minute)
	must(t, err)
}

// A role without subjects to publish may publish nothing. To the server, an empty list would mean everything.
func TestNothingAllowed(t *testing.T) {
	silent := map[string]func(string) roster.Role{"silent": func(string) roster.Role { return roster.Role{Trusted: true} }}
	s, err := server.Start(server.Options{
		Listen: "127.0.0.1:0", Folder: t.TempDir(), Kinds: silent, StoreBytes: plenty,
		Members: []roster.Member{{Name: "one", Kind: "silent"}},
	})
	must(t, err)
	t.Cleanup(func() { _ = s.Close() })
	denied := make(chan error, 8)
	one, err := bus.Dial(bus.Options{URL: s.URL(), Credential: s.Credential("one"), Denied: func(err error) {
		denied <- err
	}})
	must(t, err)
	defer one.Close()
	must(t, one.Conn.Publish("anything", nil))
	select {
	case err := <-denied:
		refuses(t, err, `"anything"`)
	case <-time.After(5 * time.Minute):
		t.Error("it may publish")
	}
}
