package egress

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// A Gateway is a proxy on a Unix socket.
type Gateway struct {
	// Socket is the path of the socket, Program the path of the program that is the bridge inside.
	Socket, Program string
	folder          string
	server          *http.Server
	dialer          *net.Dialer
	cancel          context.CancelFunc
	wait            sync.WaitGroup
	// slots limits the number of open connections.
	slots   chan struct{}
	refused func(text string)
	// made counts successful connections.
	made atomic.Int64
	mu   sync.Mutex
	said []string
}

// Refusals returns a message for each refused connection, without duplicates and at most mostRefusals.
func (gateway *Gateway) Refusals() []string {
	gateway.mu.Lock()
	defer gateway.mu.Unlock()
	return slices.Clone(gateway.said)
}

const mostRefusals = 50

func (gateway *Gateway) say(text string) {
	gateway.mu.Lock()
	fresh := len(gateway.said) < mostRefusals && !slices.Contains(gateway.said, text)
	if fresh {
		gateway.said = append(gateway.said, text)
	}
	gateway.mu.Unlock()
	if fresh && gateway.refused != nil {
		gateway.refused(text)
	}
}

// Connected reports whether any connection was made.
func (gateway *Gateway) Connected() bool { return gateway.made.Load() > 0 }

// dial connects to an address that the guard allows.
func (gateway *Gateway) dial(ctx context.Context, network, address string) (net.Conn, error) {
	connection, err := gateway.dialer.DialContext(ctx, network, address)
	if err == nil {
		gateway.made.Add(1)
	}
	return connection, err
}

// Options are the options of Open.
type Options struct {
	// Guard returns an error for an address that may not be connected to; nil means the function Guard.
	Guard func(netip.Addr) error
	// Refused is called immediately for each new message of Refusals; it may be nil.
	Refused func(text string)
}

const (
	connections = 256
	dialTimeout = 30 * time.Second
)

// Open starts a gateway, which runs until Close is called or ctx is done.
func Open(ctx context.Context, options Options) (*Gateway, error) {
	if !ready.Load() {
		return nil, errors.New("this program does not call egress.Main, so it cannot be the bridge inside the sandbox")
	}
	// A temporary folder, because the path of a socket has at most 107 bytes.
	folder, err := os.MkdirTemp("", "egress-") // only this user may read it
	if err != nil {
		return nil, err
	}
	program, err := os.Executable()
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	socket := filepath.Join(folder, "gateway")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	if options.Guard == nil {
		options.Guard = Guard
	}
	ctx, cancel := context.WithCancel(ctx)
	gateway := &Gateway{
		Socket:  socket,
		Program: program,
		folder:  folder,
		cancel:  cancel,
		slots:   make(chan struct{}, connections),
		refused: options.Refused,
	}
	gateway.dialer = &net.Dialer{Timeout: dialTimeout, Control: func(_, address string, _ syscall.RawConn) error {
		// The name has been resolved: address is the one that is connected to.
		to, err := netip.ParseAddrPort(address)
		if err != nil {
			return refused{err}
		}
		if err := options.Guard(to.Addr()); err != nil {
			return refused{err}
		}
		return nil
	}}
	gateway.server = &http.Server{
		Handler:           gateway.handler(),
		ReadHeaderTimeout: dialTimeout,
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	gateway.wait.Go(func() { _ = gateway.server.Serve(listener) }) // ends with Close
	return gateway, nil
}

// Close ends every connection and removes the socket.
func (gateway *Gateway) Close() error {
	gateway.cancel()
	err := gateway.server.Close()
	gateway.wait.Wait()
	return errors.Join(err, os.RemoveAll(gateway.folder))
}

// refused wraps the guard's error.
type refused struct{ why error }

func (err refused) Error() string { return err.why.Error() }

func (gateway *Gateway) handler() http.Handler {
	transport := &http.Transport{
		DialContext:           gateway.dial,
		DisableKeepAlives:     true,
		ResponseHeaderTimeout: 2 * time.Minute,
	}
	plain := &httputil.ReverseProxy{
		Transport:    transport,
		Rewrite:      func(request *httputil.ProxyRequest) { request.Out.Host = request.In.Host },
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) { gateway.fail(w, r, err) },
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case gateway.slots <- struct{}{}:
			defer func() { <-gateway.slots }()
		case <-r.Context().Done():
			return
		}
		switch {
		case r.Method == http.MethodConnect:
			gateway.tunnel(w, r)
		case r.URL.Scheme == "http" && r.URL.Host != "":
			plain.ServeHTTP(w, r)
		default:
			http.Error(w, "this is a proxy for http and https", http.StatusBadRequest)
		}
	})
}

// fail reports to the program why there is no connection. It adds a refusal of the guard to Refusals.
func (gateway *Gateway) fail(w http.ResponseWriter, r *http.Request, err error) {
	var no refused
	if errors.As(err, &no) {
		gateway.say(fmt.Sprintf("no connection to %q: %v; only the public internet can be reached", r.Host, no))
		http.Error(w, fmt.Sprintf("refused: %v; only the public internet can be reached", no),
			http.StatusForbidden)
		return
	}
	http.Error(w, err.Error(), http.StatusBadGateway)
}

// tunnel connects and then copies bytes in both directions.
func (gateway *Gateway) tunnel(w http.ResponseWriter, r *http.Request) {
	outside, err := gateway.dial(r.Context(), "tcp", r.Host)
	if err != nil {
		gateway.fail(w, r, err)
		return
	}
	defer outside.Close()
	inside, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		gateway.fail(w, r, err)
		return
	}
	defer inside.Close()
	if _, err := io.WriteString(inside, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		return
	}
	// The server no longer closes a hijacked connection.
	stop := context.AfterFunc(r.Context(), func() { inside.Close(); outside.Close() })
	defer stop()
	join(inside, buffered.Reader, outside)
}

// join copies bytes between two connections until both directions have ended.
func join(inside net.Conn, from io.Reader, outside net.Conn) {
	var wait sync.WaitGroup
	wait.Go(func() {
		_, _ = io.Copy(outside, from) // an error ends the direction, too
		closeWrite(outside)
	})
	wait.Go(func() {
		_, _ = io.Copy(inside, outside)
		closeWrite(inside)
	})
	wait.Wait()
}

// closeWrite tells the peer that no more data follows.
func closeWrite(connection net.Conn) {
	if half, ok := connection.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite()
		return
	}
	_ = connection.Close()
}
