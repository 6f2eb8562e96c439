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

// Permissions are what a job's token may do: a scope of GitHub's such as "checks" to "read" or "write".
type Permissions map[string]string

// A Server is GitHub for one repository. Its fields are state: hold Lock while the server runs and they are touched.
type Server struct {
	Lock sync.Mutex
	State
	// Tokens maps a token to its permissions. A request without a token may read what is public.
	Tokens map[string]Permissions
	// Faults are used up in order by the calls that they fit.
	Faults []*Fault
	// PageSize caps the entries of a page; 0 means as asked.
	PageSize int
	// Delay is waited before every answer.
	Delay time.Duration
	// Before runs before each call is acted on, with the lock held: a test can move the world between two calls.
	Before func(call string)

	api         *listener
	store       *listener // of artifacts: another host, which must never see a token
	description Description
	violations  []string
	calls       []string
}

// A Description is what calls are checked against.
type Description interface {
	// Exchange looks a request up; an error says that it is not in the API's description.
	Exchange(request *http.Request, body []byte) (Exchange, error)
}

// An Exchange is one call of a description: a request and its answer.
type Exchange interface {
	// Broken says how the request breaks the description, empty for not at all.
	Broken() string
	// Complete adds to the body of an answer what the description requires.
	Complete(status int, body any) any
	// Answered says how the answer breaks the description, empty for not at all.
	Answered(status int, header http.Header, body []byte) string
}

// A Fault is one thing that goes wrong.
type Fault struct {
	// Call is the start of the calls that it fits, such as "POST /repos/{owner}/{repo}/check-runs"; empty fits all.
	Call string
	// Skip lets that many fitting calls through first.
	Skip int
	// Status is answered, with RetryAfter seconds where that is positive.
	Status, RetryAfter int
	// Reset says that the calls of an hour are used up and come back after that time.
	Reset time.Duration
	// Drop closes the connection. With Act the call takes effect before.
	Drop, Act bool
}

// New starts a server on a local port, whose calls are checked against description unless that is nil. Close ends it.
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

// URL is the API's root.
func (server *Server) URL() string { return server.api.URL }

// Close ends the server.
func (server *Server) Close() {
	server.api.Close()
	server.store.Close()
}

// Violations lists what broke GitHub's description so far.
func (server *Server) Violations() []string {
	server.Lock.Lock()
	defer server.Lock.Unlock()
	return append([]string(nil), server.violations...)
}

// Calls lists the calls so far, as METHOD and the description's path.
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

// moved is the new address of a call to the repository's former name.
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

// allowed reports whether the token has one of the permissions, each "scope:level" with write above read.
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

// download serves the bytes of an artifact at a signed address, to whoever has it and only without a token.
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
				writer.WriteHeader(http.StatusForbidden) // as for an address that has expired
				return
			}
			writer.Header().Set("Content-Type", "application/zip")
			writer.Write(artifact.Archive)
			return
		}
	}
	http.NotFound(writer, request)
}
