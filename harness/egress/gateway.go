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

// A Gateway is a proxy on a socket in a file.
type Gateway struct {
	// Socket is the file, and Program what is the bridge inside.
	Socket, Program string
	folder          string
	server          *http.Server
	dialer          *net.Dialer
	cancel          context.CancelFunc
	wait            sync.WaitGroup
	// slots bounds the connections that are open at once.
	slots   chan struct{}
	refused func(text string)
	// made counts the connections that came about.
	made atomic.Int64
	mu   sync.Mutex
	said []string
}

// Refusals lists the connections that were refused, each once; the first of many.
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

// dial connects to an address that the guard lets through.
func (gateway *Gateway) dial(ctx context.Context, network, address string) (net.Conn, error) {
	connection, err := gateway.dialer.DialContext(ctx, network, address)
	if err == nil {
		gateway.made.Add(1)
	}
	return connection, err
}

// Options of a gateway.
type Options struct {
	// Guard says why no connection is made to an address; nil means the function Guard.
	Guard func(netip.Addr) error
	// Refused is called for each refusal of Refusals, at once; nil for nothing.
	Refused func(text string)
}

const (
	connections = 256
	dialTimeout = 30 * time.Second
)

// Open starts a gateway. It ends with Close, and with its context.
func Open(ctx context.Context, options Options) (*Gateway, error) {
	if !ready.Load() {
		return nil, errors.New("a gateway is of no use to this program: it does not call egress.Main, so it cannot be the " +
			"bridge inside")
	}
	// In the folder for temporary files: the path of a socket has at most 107 bytes.
	folder, err := os.MkdirTemp("", "egress-") // only this user may look into it
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
		// Here a name has become an address: this is the one that is spoken to.
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

// refused marks an address that the guard does not let through.
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

// fail says why there is no connection, to the program and in the log.
func (gateway *Gateway) fail(w http.ResponseWriter, r *http.Request, err error) {
	var no refused
	if errors.As(err, &no) {
		gateway.say(fmt.Sprintf("no connection to %q: %v, and only the public internet can be reached from here", r.Host, no))
		http.Error(w, fmt.Sprintf("refused: %v, and only the public internet can be reached from here", no),
			http.StatusForbidden)
		return
	}
	http.Error(w, err.Error(), http.StatusBadGateway)
}

// tunnel connects and then passes bytes on, both ways.
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
	// A hijacked connection is not the server's to close any more.
	stop := context.AfterFunc(r.Context(), func() { inside.Close(); outside.Close() })
	defer stop()
	join(inside, buffered.Reader, outside)
}

// join passes bytes between two connections until both directions have ended.
func join(inside net.Conn, from io.Reader, outside net.Conn) {
	var wait sync.WaitGroup
	wait.Go(func() {
		_, _ = io.Copy(outside, from) // an end in an error is an end
		closeWrite(outside)
	})
	wait.Go(func() {
		_, _ = io.Copy(inside, outside)
		closeWrite(inside)
	})
	wait.Wait()
}

// closeWrite tells the other side that nothing more comes.
func closeWrite(connection net.Conn) {
	if half, ok := connection.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite()
		return
	}
	_ = connection.Close()
}
