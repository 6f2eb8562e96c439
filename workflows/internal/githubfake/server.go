package githubfake

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Permissions are those of a job's token: GitHub scopes such as "checks", mapped to "read" or "write".
type Permissions map[string]string

// A Server is a fake GitHub with one repository. Hold Lock to access its fields while the server is running.
type Server struct {
	Lock sync.Mutex
	State
	// Tokens maps tokens to permissions. A request without a token may read public data.
	Tokens map[string]Permissions
	// Faults are consumed in order by the calls that match them.
	Faults []*Fault
	// PageSize caps the entries of a page; 0 means as requested.
	PageSize int
	// Delay is the wait before every response.
	Delay time.Duration
	// Before runs before each call takes effect, with the lock held: a test can change state between two calls.
	Before func(call string)

	api         *listener
	store       *listener // artifact storage, on another host that must never receive a token
	description Description
	violations  []string
	calls       []string
}

// A Description is an API description that calls are checked against.
type Description interface {
	// Exchange finds the request's call, or fails if the description does not contain it.
	Exchange(request *http.Request, body []byte) (Exchange, error)
}

// An Exchange is one call in a description: a request and its response.
type Exchange interface {
	// Broken says how the request violates the description, or is empty.
	Broken() string
	// Complete adds required fields to the body of a response.
	Complete(status int, body any) any
	// Answered says how the response violates the description, or is empty.
	Answered(status int, header http.Header, body []byte) string
}

// A Fault is one simulated failure.
type Fault struct {
	// Call is a prefix of the calls that it applies to, such as "POST /repos/{owner}/{repo}/check-runs"; empty means all.
	Call string
	// Skip is the number of matching calls that pass first.
	Skip int
	// Status is the response's status, with a RetryAfter header if positive, in seconds.
	Status, RetryAfter int
	// Reset simulates an exhausted hourly rate limit, which resets after that time.
	Reset time.Duration
	// Drop closes the connection. With Act the call takes effect first.
	Drop, Act bool
}

// New starts a server on a local port. Calls are checked against description unless it is nil. Close stops it.
func New(state State, description Description) (*Server, error) {
	server := &Server{State: state, Tokens: map[string]Permissions{}, description: description}
	server.State.fill()
	var err error
	if server.api, err = listen(server.serve); err != nil {
		return nil, err
	}
	if server.store, err = listen(server.download); err != nil {
		server.api.Close()
		return nil, err
	}
	return server, nil
}

// A listener is an HTTP server on a local port.
type listener struct {
	http.Server
	URL string
}

func listen(handler http.HandlerFunc) (*listener, error) {
	socket, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	started := &listener{URL: "http://" + socket.Addr().String()}
	started.Handler = handler
	go started.Serve(socket) // until Close
	return started, nil
}

// URL returns the API's root.
func (server *Server) URL() string { return server.api.URL }

// Close stops the server.
func (server *Server) Close() {
	server.api.Close()
	server.store.Close()
}

// Violations lists the violations of GitHub's description so far.
func (server *Server) Violations() []string {
	server.Lock.Lock()
	defer server.Lock.Unlock()
	return append([]string(nil), server.violations...)
}

// Calls lists the calls so far, as METHOD and the path in the description.
func (server *Server) Calls() []string {
	server.Lock.Lock()
	defer server.Lock.Unlock()
	return append([]string(nil), server.calls...)
}

func (server *Server) serve(writer http.ResponseWriter, request *http.Request) {
	time.Sleep(server.Delay)
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return
	}
	request.Body = io.NopCloser(bytes.NewReader(body))
	var exchange Exchange
	if server.description != nil {
		if exchange, err = server.description.Exchange(request, body); err != nil {
			server.violate("%s %s is not in the API's description: %v", request.Method, request.URL.Path, err)
			http.Error(writer, `{"message":"Not Found"}`, http.StatusNotFound)
			return
		}
	}
	call, parameters := route(request.Method, request.URL.EscapedPath())
	if exchange != nil {
		if broken := exchange.Broken(); broken != "" {
			server.violate("request %s: %s", call, broken)
		}
	}
	server.Lock.Lock()
	defer server.Lock.Unlock()
	server.calls = append(server.calls, call)
	if server.Before != nil {
		server.Before(call)
	}
	fault := server.fault(call)
	if fault != nil && !fault.Act {
		fail(writer, fault)
		return
	}
	if target, ok := server.moved(request); ok {
		writer.Header().Set("Location", target)
		writer.WriteHeader(map[bool]int{
			true:  http.StatusMovedPermanently,
			false: http.StatusTemporaryRedirect,
		}[request.Method == http.MethodGet])
		return
	}
	answer := server.answer(call, parameters, request, body)
	if fault != nil {
		fail(writer, fault)
		return
	}
	server.write(writer, request, call, exchange, answer)
}

// moved returns the new address of a call to the repository's former name.
func (server *Server) moved(request *http.Request) (string, bool) {
	rest, ok := strings.CutPrefix(request.URL.RequestURI(), "/repos/"+server.FormerName)
	if server.FormerName == "" || !ok || rest != "" && rest[0] != '/' {
		return "", false
	}
	return server.api.URL + "/repos/" + server.Repository.FullName + rest, true
}

func (server *Server) answer(name string, parameters map[string]string, request *http.Request, body []byte) answer {
	handler, ok := handlers[name]
	if !ok {
		return failure(http.StatusNotImplemented, "this server does not answer "+name)
	}
	token := strings.TrimPrefix(request.Header.Get("Authorization"), "Bearer ")
	permissions, known := server.Tokens[token]
	if len(handler.needs) == 1 && handler.needs[0] == asApp {
		if !server.App.signed(token) {
			return failure(http.StatusUnauthorized, "A JSON web token could not be decoded")
		}
		permissions, known = Permissions{asApp: "write"}, true
	}
	if token != "" && !known {
		return failure(http.StatusUnauthorized, "Bad credentials")
	}
	if !allowed(handler.needs, permissions) {
		return failure(http.StatusForbidden, "Resource not accessible by integration")
	}
	owner, _, _ := strings.Cut(server.Repository.FullName, "/")
	if org, ok := parameters["org"]; ok && org != owner {
		return failure(http.StatusNotFound, "Not Found")
	}
	_, ofRepository := parameters["repo"]
	if ofRepository && parameters["owner"]+"/"+parameters["repo"] != server.Repository.FullName {
		return failure(http.StatusNotFound, "Not Found")
	}
	fields := map[string]any{}
	if len(body) > 0 {
		if err := json.Unmarshal(body, &fields); err != nil {
			return failure(http.StatusBadRequest, "Problems parsing JSON")
		}
	}
	return handler.serve(server, call{parameters: parameters, query: request.URL.Query(), fields: fields})
}

// allowed reports whether the token has one of the permissions, each "scope:level"; write includes read.
func allowed(needs []string, has Permissions) bool {
	if len(needs) == 0 {
		return true
	}
	for _, need := range needs {
		scope, level, _ := strings.Cut(need, ":")
		if has[scope] == "write" || has[scope] == level {
			return true
		}
	}
	return false
}

func (server *Server) write(writer http.ResponseWriter, request *http.Request, call string, exchange Exchange,
	answer answer) {
	header := http.Header{}
	header.Set("Content-Type", "application/json; charset=utf-8")
	if answer.location != "" {
		header.Set("Location", server.store.URL+answer.location)
	}
	var data []byte
	if list, ok := answer.body.([]any); ok && !answer.whole {
		answer.body = server.page(header, request, list)
	} else if answer.list != "" {
		object := answer.body.(map[string]any)
		object[answer.list] = server.page(header, request, object[answer.list].([]any))
	}
	if answer.body != nil {
		if exchange != nil && answer.status < 300 {
			answer.body = exchange.Complete(answer.status, answer.body)
		}
		data, _ = json.Marshal(answer.body)
	}
	if exchange != nil && answer.status < 300 {
		if broken := exchange.Answered(answer.status, header, data); broken != "" {
			server.violations = append(server.violations, fmt.Sprintf("answer %s: %s", call, broken))
		}
	}
	for key := range header {
		writer.Header().Set(key, header.Get(key))
	}
	writer.WriteHeader(answer.status)
	writer.Write(data)
}

func (server *Server) violate(format string, values ...any) {
	server.Lock.Lock()
	defer server.Lock.Unlock()
	server.violations = append(server.violations, fmt.Sprintf(format, values...))
}

func (server *Server) fault(call string) *Fault {
	for i, fault := range server.Faults {
		if !strings.HasPrefix(call, fault.Call) {
			continue
		}
		if fault.Skip > 0 {
			fault.Skip--
			continue
		}
		server.Faults = append(server.Faults[:i:i], server.Faults[i+1:]...)
		return fault
	}
	return nil
}

func fail(writer http.ResponseWriter, fault *Fault) {
	if fault.Drop {
		if hijacker, ok := writer.(http.Hijacker); ok {
			if connection, _, err := hijacker.Hijack(); err == nil {
				if tcp, ok := connection.(*net.TCPConn); ok {
					tcp.SetLinger(0)
				}
				connection.Close()
			}
		}
		return
	}
	if fault.RetryAfter > 0 {
		writer.Header().Set("Retry-After", fmt.Sprint(fault.RetryAfter))
	}
	if fault.Reset > 0 {
		writer.Header().Set("X-RateLimit-Remaining", "0")
		writer.Header().Set("X-RateLimit-Reset", fmt.Sprint(time.Now().Add(fault.Reset).Unix()))
	}
	writer.Header().Set("Content-Type", "application/json")
	writer.WriteHeader(fault.Status)
	if fault.Status == http.StatusForbidden && fault.RetryAfter == 0 {
		fmt.Fprint(writer, `{"message":"Resource not accessible by integration","documentation_url":"https://docs.github.com/rest"}`)
		return
	}
	fmt.Fprint(writer, `{"message":"You have exceeded a secondary rate limit","documentation_url":"https://docs.github.com/rest/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits"}`)
}

// download serves an artifact at a signed URL. The request must not have a token.
func (server *Server) download(writer http.ResponseWriter, request *http.Request) {
	server.Lock.Lock()
	defer server.Lock.Unlock()
	if request.Header.Get("Authorization") != "" {
		server.violations = append(server.violations, "a token was sent to the store of artifacts")
	}
	for _, artifact := range server.Artifacts {
		if fmt.Sprintf("/%d", artifact.ID) == request.URL.Path {
			if artifact.StoreFails > 0 {
				artifact.StoreFails--
				writer.WriteHeader(http.StatusForbidden) // as for an expired URL
				return
			}
			writer.Header().Set("Content-Type", "application/zip")
			writer.Write(artifact.Archive)
			return
		}
	}
	http.NotFound(writer, request)
}
