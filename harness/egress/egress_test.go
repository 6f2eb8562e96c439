package egress

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestMain(m *testing.M) {
	if code, bridge := Main(os.Args[1:], os.Stdout, os.Stderr); bridge {
		os.Exit(code)
	}
	os.Exit(m.Run())
}

func TestPublic(t *testing.T) {
	for _, address := range []string{"8.8.8.8", "140.82.121.3", "172.15.255.255", "172.32.0.1", "100.63.0.1",
		"100.128.0.1", "192.167.1.1", "11.0.0.1",
		"2606:4700::6810:1", "2a00:1450:4001::8a", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "168.63.129.17"} {
		if err := public(netip.MustParseAddr(address)); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
	for _, address := range []string{
		"127.0.0.1", "127.255.255.254", "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255",
		"192.168.0.1", "169.254.169.254",
		"100.64.0.1", "100.100.100.200", "192.0.0.192", "198.18.0.1", "198.19.255.255", "224.0.0.1", "239.1.1.1", "240.0.0.1",
		"255.255.255.255", "168.63.129.16",
		"::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "64:ff9b::10.0.0.1",
		"64:ff9b::169.254.169.254", "64:ff9b:1::1",
		"fe80::1", "fe80::1%eth0", "fec0::1", "fc00::1", "fd00:ec2::254", "ff02::1", "2001::1", "2001:db8::1",
		"2002:7f00:1::", "2002:a00:1::", "3fff::1", "4000::1", "100::1",
	} {
		if err := public(netip.MustParseAddr(address)); err == nil {
			t.Errorf("%s is let through", address)
		}
	}
	if public(netip.Addr{}) == nil {
		t.Error("no address is let through")
	}
	_, network, _ := net.ParseCIDR("203.10.0.0/16")
	network.IP = net.ParseIP("203.10.0.7")
	own := []net.Addr{network, &net.UnixAddr{}}
	if attached(netip.MustParseAddr("203.10.200.1"), own) == nil ||
		attached(netip.MustParseAddr("203.11.0.1"), own) != nil {
		t.Error("what this host is attached to is not told from what it is not")
	}
}

// through requests an address through a gateway.
func through(t *testing.T, gateway *Gateway, address string) (int, string, error) {
	t.Helper()
	transport := &http.Transport{
		Proxy:           func(*http.Request) (*url.URL, error) { return url.Parse("http://gateway") },
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
	}
	dialer := &net.Dialer{}
	transport.DialContext = dialContext(dialer, gateway.Socket)
	response, err := (&http.Client{Transport: transport}).Get(address)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return response.StatusCode, string(body), err
}

func TestGateway(t *testing.T) {
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/away" {
			http.Redirect(w, r, "http://169.254.169.254/latest", http.StatusFound)
			return
		}
		fmt.Fprintf(w, "%s %s", r.Method, r.URL)
	})
	plain, secure := httptest.NewServer(handler), httptest.NewTLSServer(handler)
	defer plain.Close()
	defer secure.Close()
	open, err := Open(t.Context(), Options{Guard: func(address netip.Addr) error {
		if address.IsLoopback() {
			return nil
		}
		return public(address)
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	for _, server := range []*httptest.Server{plain, secure} {
		if code, body, err := through(t, open, server.URL+"/a?b=c"); code != http.StatusOK || body != "GET /a?b=c" ||
			err != nil {
			t.Errorf("%s: %d %q %v", server.URL, code, body, err)
		}
		if code, body, err := through(t, open, server.URL+"/away"); code != http.StatusForbidden ||
			!strings.Contains(body, "link-local") {
			t.Errorf("a redirect to the cloud's metadata: %d %q %v", code, body, err)
		}
	}
	shut, err := Open(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer shut.Close()
	port := plain.Listener.Addr().(*net.TCPAddr).Port
	for _, address := range []string{plain.URL, fmt.Sprintf("http://localhost:%d", port),
		fmt.Sprintf("http://[::ffff:127.0.0.1]:%d", port), fmt.Sprintf("http://0:%d", port),
		fmt.Sprintf("http://2130706433:%d", port)} {
		if code, body, err := through(t, shut, address); err == nil && code == http.StatusOK {
			t.Errorf("%s was reached: %q", address, body)
		}
	}
	if code, _, err := through(t, shut, secure.URL); err == nil {
		t.Errorf("%s was reached: %d", secure.URL, code)
	}
	if said := strings.Join(shut.Refusals(), "\n"); !strings.Contains(said, "127.0.0.1 is loopback") {
		t.Errorf("said: %s", said)
	}
	for _, request := range []string{"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
		"GET ftp://example.org/ HTTP/1.1\r\nHost: x\r\n\r\n", "CONNECT /etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n"} {
		connection, err := net.Dial("unix", shut.Socket)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(connection, request)
		response, err := http.ReadResponse(bufio.NewReader(connection), nil)
		if err != nil || response.StatusCode < 400 {
			t.Errorf("%q: %v %v", request, response, err)
		}
		connection.Close()
	}
	if err := shut.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Dir(shut.Socket)); err == nil {
		t.Error("the socket's folder stays")
	}
}

// The bridge passes the variables to its program, and returns the program's exit code.
func TestBridge(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "reached")
	}))
	defer server.Close()
	gateway, err := Open(t.Context(), Options{Guard: func(netip.Addr) error { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	defer gateway.Close()
	t.Setenv("no_proxy", "*")
	t.Setenv("NO_PROXY", "*")
	var out, errs bytes.Buffer
	script := `test -z "$no_proxy$NO_PROXY" || exit 3; test "$https_proxy" = "$HTTP_PROXY" || exit 4; echo "$http_proxy"; exit 7`
	if code := runBridge([]string{gateway.Socket, "sh", "-c", script}, &out, &errs); code != 7 ||
		!strings.HasPrefix(out.String(), "http://127.0.0.1:") {
		t.Errorf("%d %q %q", code, out.String(), errs.String())
	}
	if code := runBridge([]string{gateway.Socket, "/none/there"}, &out, &errs); code != 127 {
		t.Errorf("a program that is not there: %d", code)
	}
	if code := runBridge([]string{gateway.Socket}, &out, &errs); code != 2 {
		t.Errorf("no program: %d", code)
	}
}

func dialContext(dialer *net.Dialer, socket string) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, _, _ string) (net.Conn, error) {
		return dialer.DialContext(ctx, "unix", socket)
	}
}
