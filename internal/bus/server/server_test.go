package server_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/chiasmus/chiasmus/internal/bus"
	"github.com/chiasmus/chiasmus/internal/bus/bustest"
	"github.com/chiasmus/chiasmus/internal/bus/roster"
	"github.com/chiasmus/chiasmus/internal/bus/server"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// refuses requires an error with a text.
func refuses(t *testing.T, err error, words string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), words) {
		t.Errorf("%v, want an error with %q", err, words)
	}
}

// The members of these tests: all may do everything, except "some", who may use the subjects "open".
var (
	kinds = map[string]func(string) roster.Role{
		"trusted": func(string) roster.Role {
			return roster.Role{Trusted: true, Publish: []string{">"}, Subscribe: []string{">"}}
		},
		"guest": func(string) roster.Role {
			return roster.Role{Publish: []string{"open.>"}, Subscribe: []string{"heard.>"}}
		},
	}
	members = []roster.Member{{Name: "all", Kind: "trusted"}, {Name: "some", Kind: "guest"}}
)

const plenty = 64 << 20

func start(t *testing.T, o server.Options) *server.Server {
	t.Helper()
	if o.Listen == "" {
		o.Listen = "127.0.0.1:0"
	}
	if o.Folder == "" {
		o.Folder = t.TempDir()
	}
	if o.StoreBytes == 0 {
		o.StoreBytes = plenty
	}
	o.Kinds, o.Members = kinds, members
	s, err := server.Start(o)
	must(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func dial(t *testing.T, s *server.Server, role string) *bus.Bus {
	t.Helper()
	b, err := bus.Dial(bus.Options{URL: s.URL(), Credential: s.Credential(role), Name: t.Name()})
	must(t, err)
	t.Cleanup(b.Close)
	return b
}

// Without a credential of the folder there is no connection. Credentials are readable by their owner alone, and
// persist.
func TestStrangersAreRefused(t *testing.T) {
	folder := t.TempDir()
	s := start(t, server.Options{Folder: folder})
	_, err := bus.Dial(bus.Options{URL: s.URL()})
	refuses(t, err, "requires a credential, but none is given")
	_, err = bus.Dial(bus.Options{URL: strings.Replace(s.URL(), "nats", "tls", 1), Credential: s.Credential("all")})
	refuses(t, err, "has no certificate: want an address that begins with nats://")
	_, err = bus.Dial(bus.Options{URL: "nats://127.0.0.1:1", Credential: s.Credential("all")})
	refuses(t, err, "no answer: want the address")
	foreign := start(t, server.Options{})
	_, err = bus.Dial(bus.Options{URL: s.URL(), Credential: foreign.Credential("all")})
	refuses(t, err, "credential "+foreign.Credential("all")+" is unknown")
	_, err = bus.Dial(bus.Options{URL: s.URL(), Credential: filepath.Join(folder, "none")})
	refuses(t, err, "no such file")
	text := filepath.Join(folder, "text")
	must(t, os.WriteFile(text, []byte("text"), 0o600))
	_, err = bus.Dial(bus.Options{URL: s.URL(), Credential: text})
	refuses(t, err, "want the seed of an NKey")
	must(t, os.Chmod(foreign.Credential("all"), 0o640))
	_, err = bus.Dial(bus.Options{URL: s.URL(), Credential: foreign.Credential("all")})
	refuses(t, err, "users other than its owner may read or write it (mode 640): want mode 600")

	info, err := os.Stat(s.Credential("all"))
	must(t, err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("a credential has mode %v", info.Mode())
	}
	before, err := os.ReadFile(s.Credential("all"))
	must(t, err)
	must(t, s.Close())
	after, err := os.ReadFile(start(t, server.Options{Folder: folder}).Credential("all"))
	must(t, err)
	if !bytes.Equal(before, after) {
		t.Error("a second start made another credential")
	}
}

// A role may do only what it lists.
func TestRoles(t *testing.T) {
	s := start(t, server.Options{})
	errs := make(chan error, 1)
	b, err := bus.Dial(bus.Options{
		URL: s.URL(), Credential: s.Credential("some"), Denied: func(err error) { errs <- err },
	})
	must(t, err)
	defer b.Close()
	all := dial(t, s, "all")
	crosses(t, "open.door", b, all)
	crosses(t, "heard.door", all, b)
	must(t, b.Conn.Publish("shut.door", nil))
	must(t, b.Conn.Flush())
	select {
	case err := <-errs:
		refuses(t, err, "credential "+s.Credential("some")+" has no permission for this: ")
		refuses(t, err, `"shut.door"`)
	case <-time.After(5 * time.Minute):
		t.Error("a role publishes what it may not")
	}
}

// crosses requires that one member receives another's message.
func crosses(t *testing.T, subject string, from, to *bus.Bus) {
	t.Helper()
	heard, err := to.Conn.SubscribeSync(subject)
	must(t, err)
	must(t, to.Conn.Flush())
	must(t, from.Conn.Publish(subject, []byte("in")))
	message, err := heard.NextMsg(5 * time.Minute)
	must(t, err)
	if string(message.Data) != "in" {
		t.Errorf("received %q", message.Data)
	}
}

func TestStartRefuses(t *testing.T) {
	folder := t.TempDir()
	running := start(t, server.Options{Folder: folder})
	address := strings.TrimPrefix(running.URL(), "nats://")
	for name, tc := range map[string]struct {
		options server.Options
		want    string
	}{
		"a folder in use":    {server.Options{Listen: "127.0.0.1:0", Folder: folder, Kinds: kinds}, "another server"},
		"an address without": {server.Options{Listen: "here", Kinds: kinds}, "want HOST:PORT"},
		"a port too large":   {server.Options{Listen: ":65536", Kinds: kinds}, "want a port"},
		"no kinds":           {server.Options{Listen: ":0"}, "at least one kind"},
		"no certificate": {
			server.Options{Listen: ":0", Kinds: kinds, Certificate: "no.pem", Key: "no.key"}, "no.pem",
		},
		"an address in use": {server.Options{Listen: address, Folder: t.TempDir(), Kinds: kinds}, "already in use"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := server.Start(tc.options)
			refuses(t, err, tc.want)
		})
	}
}

// An object of a store is found by its digest, even after a restart of the server, and only if its contents match.
func TestObjects(t *testing.T) {
	folder := t.TempDir()
	s := start(t, server.Options{Folder: folder})
	b, limits := dial(t, s, "all"), bus.Limits{ObjectBytes: 1 << 20, StoreBytes: 4 << 20, Expiry: time.Hour}
	objects, err := b.MakeObjects(t.Context(), "things", limits)
	must(t, err)
	for _, size := range []int{0, 1, 1 << 20} {
		data := make([]byte, size)
		_, _ = rand.Read(data)
		digest, err := objects.Put(t.Context(), data)
		must(t, err)
		again, err := objects.Put(t.Context(), data)
		must(t, err)
		got, err := objects.Get(t.Context(), digest)
		must(t, err)
		if again != digest || !bytes.Equal(got, data) {
			t.Errorf("an object of %d bytes comes back with %d", size, len(got))
		}
	}
	_, err = objects.Put(t.Context(), make([]byte, 1<<20+1))
	refuses(t, err, "1048577 bytes: at most 1048576")
	_, err = objects.Get(t.Context(), bus.DigestOf([]byte("absent")))
	refuses(t, err, "not found")

	// Other writers put wrong bytes, or too many, under an object's name. Once the object is put, it can be read
	// anyway.
	name := bus.DigestOf([]byte("truth"))
	lie := func(owner string, data []byte) {
		t.Helper()
		_, err := b.JetStream.PublishMsg(t.Context(), &nats.Msg{
			Subject: "things." + owner + "." + name.String() + ".0", Header: nats.Header{"Chiasmus-Chunks": {"1"}}, Data: data,
		})
		must(t, err)
	}
	lie("liar", []byte("lie"))
	_, err = objects.Get(t.Context(), name)
	refuses(t, err, "its bytes do not match its digest")
	_, err = objects.Put(t.Context(), []byte("truth"))
	must(t, err)
	lie("last", []byte("lie"))
	got, err := objects.Get(t.Context(), name)
	must(t, err)
	if string(got) != "truth" {
		t.Errorf("read %q", got)
	}
	long := bus.DigestOf([]byte("long"))
	_, err = b.JetStream.PublishMsg(t.Context(), &nats.Msg{
		Subject: "things.liar." + long.String() + ".0", Header: nats.Header{"Chiasmus-Chunks": {"1"}},
		Data: make([]byte, 1<<20+1),
	})
	must(t, err)
	_, err = objects.Get(t.Context(), long)
	refuses(t, err, "at most")
	_, err = b.JetStream.PublishMsg(t.Context(), &nats.Msg{
		Subject: "things.liar." + long.String() + ".0", Header: nats.Header{"Chiasmus-Chunks": {"6"}},
	})
	must(t, err)
	_, err = objects.Get(t.Context(), long)
	refuses(t, err, "at most")

	kept, err := objects.Put(t.Context(), []byte("kept"))
	must(t, err)
	must(t, s.Close())
	objects, err = dial(t, start(t, server.Options{Folder: folder}), "all").Objects(t.Context(), "things", limits)
	must(t, err)
	got, err = objects.Get(t.Context(), kept)
	must(t, err)
	if string(got) != "kept" {
		t.Errorf("after a restart the object is %q", got)
	}
}

// A store at its limit reports which limit it is, the bucket's or the server's.
func TestFullStore(t *testing.T) {
	for name, tc := range map[string]struct{ bucket, server int64 }{
		"of the bucket": {512 << 10, plenty},
		"of the server": {-1, 512 << 10},
	} {
		t.Run(name, func(t *testing.T) {
			b := dial(t, start(t, server.Options{StoreBytes: tc.server}), "all")
			objects, err := b.MakeObjects(t.Context(), "things", bus.Limits{ObjectBytes: 1 << 20, StoreBytes: tc.bucket})
			must(t, err)
			data := make([]byte, 1<<20)
			_, _ = rand.Read(data)
			_, err = objects.Put(t.Context(), data)
			var full *bus.FullError
			if !errors.As(err, &full) || bus.Full(err) != err {
				t.Errorf("%v, want one report that the store is full", err)
			}
			_, err = objects.Put(t.Context(), data) // its description may exist
			if !errors.As(err, &full) {
				t.Errorf("%v, want a report that the store is still full", err)
			}
			if tc.server < plenty {
				return // a full server accepts nothing, so set-ups limit their stores below the server's limit
			}
			if _, err := objects.Put(t.Context(), data[:1000]); err != nil {
				t.Errorf("after that nothing fits: %v", err)
			}
		})
	}
}

// Retries outlast a server that is unreachable for a while; rejected requests are not repeated.
func TestRetry(t *testing.T) {
	folder := t.TempDir()
	s := start(t, server.Options{Folder: folder})
	address := strings.TrimPrefix(s.URL(), "nats://")
	b := dial(t, s, "all")
	objects, err := b.MakeObjects(t.Context(), "things", bus.Limits{ObjectBytes: 1 << 20, StoreBytes: 4 << 20})
	must(t, err)
	must(t, s.Close())
	answered := make(chan error)
	go func() {
		_, err := objects.Put(t.Context(), []byte("late"))
		answered <- err
	}()
	start(t, server.Options{Listen: address, Folder: folder})
	must(t, <-answered)

	asked, refusal := 0, errors.New("no")
	err = bus.Retry(t.Context(), func(context.Context) error { asked++; return refusal })
	if !errors.Is(err, refusal) || asked != 1 {
		t.Errorf("%v after asking %d times", err, asked)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err = bus.Retry(ctx, func(context.Context) error { cancel(); return nats.ErrTimeout })
	if !errors.Is(err, nats.ErrTimeout) {
		t.Errorf("%v after the context ended", err)
	}
	err = bus.Full(&jetstream.APIError{Code: 503, ErrorCode: 10077})
	refuses(t, err, "full")
}

// With a certificate, only clients that trust its authority connect, and only encrypted.
func TestTLS(t *testing.T) {
	folder := t.TempDir()
	certificate, key, err := bustest.Certificate(folder)
	must(t, err)
	s := start(t, server.Options{Certificate: certificate, Key: key})
	o := bus.Options{URL: s.URL(), Credential: s.Credential("all")}
	_, err = bus.Dial(o)
	refuses(t, err, "its certificate is signed by an unknown authority")
	o.Authority = filepath.Join(folder, "absent")
	_, err = bus.Dial(o)
	refuses(t, err, "absent")
	o.Authority = certificate
	b, err := bus.Dial(o)
	must(t, err)
	defer b.Close()
	if _, err := b.Conn.TLSConnectionState(); err != nil {
		t.Errorf("the connection is not encrypted: %v", err)
	}
}
