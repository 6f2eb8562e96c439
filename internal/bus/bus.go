package bus

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// MaxMessageBytes is the largest message that this project's server accepts.
const MaxMessageBytes = 8 << 20

// Options identify a server and the credential to use there.
type Options struct {
	URL        string // nats://HOST:PORT, tls://HOST:PORT, ws or wss; several are separated by commas
	Credential string // file of the credential; empty if the server needs none
	Authority  string // PEM file of the CA that signed the server's certificate; empty for the system's
	Name       string // name of this connection in the server's lists

	// Inside is a server in this process, which is reached without a network; nil for any other server. Holder is its
	// credential, which is in no file.
	Inside nats.InProcessConnProvider
	Holder *Credential

	// Log is called when the connection is lost and when it is back; it may be nil.
	Log func(line string)
	// Denied is called if the server does not allow this credential to do something, which a retry does not change. It
	// runs concurrently with the denied request, which keeps waiting for an answer. If Denied is nil, Log is called
	// instead.
	Denied func(err error)
}

// Bus is a connection to a server. It reconnects by itself, however long that takes. A request made meanwhile fails
// after a timeout, and the caller should retry it. A Bus is safe for concurrent use.
type Bus struct {
	Conn      *nats.Conn
	JetStream jetstream.JetStream

	credential *Credential // nil without
}

// owner is the name in the connection's credential.
func (b *Bus) owner() string {
	if b.credential == nil {
		return anonymous
	}
	return b.credential.Name
}

// anonymous owns what is stored without a credential, on a server that needs none.
const anonymous = "anonymous"

// Dial connects. It fails if the server does not answer now, or refuses the credential.
func Dial(o Options) (*Bus, error) {
	options, err := o.connection()
	if err != nil {
		return nil, err
	}
	credential := o.Holder
	if credential == nil && o.Credential != "" {
		if credential, err = ReadCredential(o.Credential); err != nil {
			return nil, err
		}
	}
	if credential != nil {
		signs, err := credential.options()
		if err != nil {
			return nil, fmt.Errorf("credential %s: %w", o.Credential, err)
		}
		options = append(options, signs...)
	}
	conn, err := nats.Connect(o.URL, options...)
	if err != nil {
		return nil, o.refused(err)
	}
	js, err := jetstream.New(conn)
	if err != nil {
		conn.Close()
		return nil, fmt.Errorf("server %s: %w", o.shown(), err)
	}
	return &Bus{conn, js, credential}, nil
}

// Close ends the connection.
func (b *Bus) Close() { b.Conn.Close() }

const (
	dialTimeout   = 5 * time.Second
	reconnectWait = 250 * time.Millisecond
	pingEvery     = 5 * time.Second // a server that disappears silently is noticed after two
)

func (o *Options) connection() ([]nats.Option, error) {
	say := o.Log
	if say == nil {
		say = func(string) {}
	}
	options := []nats.Option{
		nats.Name(o.Name), nats.Timeout(dialTimeout),
		nats.MaxReconnects(-1), nats.ReconnectWait(reconnectWait), nats.ReconnectJitter(reconnectWait, reconnectWait),
		nats.PingInterval(pingEvery), nats.MaxPingsOutstanding(2),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				say(fmt.Sprintf("server %s: connection lost (%v); trying again", o.shown(), err))
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { say(fmt.Sprintf("server %s: connected again", o.shown())) }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			if errors.Is(err, nats.ErrPermissionViolation) && o.Denied != nil {
				o.Denied(fmt.Errorf("server %s: credential %s has no permission for this: %w", o.shown(), o.Credential, err))
				return
			}
			say(fmt.Sprintf("server %s: %v", o.shown(), err))
		}),
	}
	if o.Authority != "" {
		if _, err := os.Stat(o.Authority); err != nil {
			return nil, fmt.Errorf("certificate authority: %w", err)
		}
		options = append(options, nats.RootCAs(o.Authority), nats.Secure(&tls.Config{MinVersion: tls.VersionTLS13}))
	}
	if o.Inside != nil {
		options = append(options, nats.InProcessServer(o.Inside))
	}
	return options, nil
}

// refused explains why a server cannot be reached or does not accept this client, and what to do.
func (o *Options) refused(err error) error {
	var unknown x509.UnknownAuthorityError
	switch {
	case errors.As(err, &unknown) && o.Authority == "":
		return fmt.Errorf("server %s: its certificate is signed by an unknown authority: "+
			"name the file of its CA certificate: %w", o.shown(), err)
	case errors.As(err, &unknown):
		return fmt.Errorf("server %s: its certificate is not signed by the authority in %s: %w", o.shown(), o.Authority, err)
	case errors.Is(err, nats.ErrAuthorization) && o.Credential == "":
		return fmt.Errorf("server %s: it requires a credential, but none is given: %w", o.shown(), err)
	case errors.Is(err, nats.ErrAuthorization):
		return fmt.Errorf("server %s: credential %s is unknown, removed or refused: %w", o.shown(), o.Credential, err)
	case errors.Is(err, nats.ErrNoServers):
		return fmt.Errorf("server %s: no answer: want the address that the running server printed: %w",
			o.shown(), err)
	case errors.Is(err, nats.ErrSecureConnWanted):
		return fmt.Errorf("server %s: it has no certificate: want an address that begins with nats://: %w", o.shown(), err)
	}
	return fmt.Errorf("server %s: %w", o.shown(), err)
}

// shown returns the address without passwords.
func (o *Options) shown() string {
	var list []string
	for _, each := range strings.Split(o.URL, ",") {
		if at, err := url.Parse(strings.TrimSpace(each)); err == nil {
			each = at.Redacted()
		}
		list = append(list, each)
	}
	return strings.Join(list, ",")
}

// Retry calls ask until its error is not a connection failure, or until the context ends, so that a restart of the
// server costs its clients only time. If the connection failed during a call, its request may or may not have been
// executed.
func Retry(ctx context.Context, ask func(ctx context.Context) error) error {
	return retry(ctx, answerTimeout, ask)
}

// retry is Retry with a timeout for each answer. The answer to a request that was in progress when the server ended
// never arrives.
func retry(ctx context.Context, timeout time.Duration, ask func(ctx context.Context) error) error {
	for wait := retryLeast; ; wait = min(2*wait, retryMost) {
		err := func() error {
			ctx, cancel := context.WithTimeout(ctx, timeout)
			defer cancel()
			return ask(ctx)
		}()
		if err == nil || !passing(err) || ctx.Err() != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(wait):
		}
	}
}

const (
	retryLeast = 20 * time.Millisecond
	retryMost  = time.Second

	answerTimeout = 5 * time.Second
)

// passing reports whether an error is transient: a restarted server would not repeat it.
func passing(err error) bool {
	for _, lost := range []error{
		nats.ErrTimeout, nats.ErrNoResponders, nats.ErrDisconnected, nats.ErrConnectionReconnecting,
		nats.ErrReconnectBufExceeded, nats.ErrStaleConnection, jetstream.ErrNoStreamResponse,
		jetstream.ErrAsyncPublishTimeout, jetstream.ErrJetStreamNotEnabled, context.DeadlineExceeded,
	} {
		if errors.Is(err, lost) {
			return true
		}
	}
	var api *jetstream.APIError
	return errors.As(err, &api) && api.Code == serviceUnavailable && !full(err)
}

const serviceUnavailable = 503
