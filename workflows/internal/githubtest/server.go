package githubtest

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
)

//go:embed openapi/api.github.com.trimmed.json
var description []byte

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

	http       *httptest.Server
	store      *httptest.Server // of artifacts: another host, which must never see a token
	router     routers.Router
	violations []string
	calls      []string
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

// New starts a server on a local port. Close ends it.
func New(state State) (*Server, error) {
	router, err := describe()
	if err != nil {
		return nil, err
	}
	server := &Server{State: state, Tokens: map[string]Permissions{}, router: router}
	server.State.fill()
	server.http = httptest.NewServer(http.HandlerFunc(server.serve))
	server.store = httptest.NewServer(http.HandlerFunc(server.download))
	return server, nil
}

// describe reads GitHub's description, once in a process.
var describe = sync.OnceValues(func() (routers.Router, error) {
	document, err := openapi3.NewLoader().LoadFromData(openSegments(description))
	if err != nil {
		return nil, fmt.Errorf("GitHub's description: %w", err)
	}
	document.Servers = nil
	router, err := gorillamux.NewRouter(document)
	if err != nil {
		return nil, fmt.Errorf("GitHub's description: %w", err)
	}
	return router, nil
})

// deviations are answers that GitHub gives although its description forbids them.
var deviations = map[string]bool{
	// The repository of a deleted fork is null; the description of a pull request does not know it.
	`GET /repos/{owner}/{repo}/pulls/{pull_number} Error at "/head/repo": Value is not nullable`: true,
}

// openSegments lets the two parameters that hold slashes match them; OpenAPI has no word for it.
func openSegments(description []byte) []byte {
	for _, path := range []string{"/contents/{path}", "/git/ref/{ref}", "/compare/{basehead}", "/commits/{ref}\""} {
		name := path[strings.Index(path, "{")+1 : strings.Index(path, "}")]
		description = bytes.ReplaceAll(description, []byte(path),
			[]byte(strings.Replace(path, "{"+name+"}", "{"+name+":.+}", 1)))
	}
	return description
}

// URL is the API's root.
func (server *Server) URL() string { return server.http.URL }

// Close ends the server.
func (server *Server) Close() {
	server.http.Close()
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
	route, parameters, err := server.router.FindRoute(request)
	if err != nil {
		server.violate("%s %s is no call of the description: %v", request.Method, request.URL.Path, err)
		http.Error(writer, `{"message":"Not Found"}`, http.StatusNotFound)
		return
	}
	for name, value := range parameters { // the router looks at the path as it was sent
		if plain, err := url.PathUnescape(value); err == nil {
			parameters[name] = plain
		}
	}
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return
	}
	request.Body = io.NopCloser(bytes.NewReader(body))
	call := request.Method + " " + closeSegments(route.Path)
	input := &openapi3filter.RequestValidationInput{Request: request, PathParams: parameters, Route: route,
		Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, MultiError: true}}
	if err := openapi3filter.ValidateRequest(request.Context(), input); err != nil {
		server.violate("request %s: %s", call, brief(err))
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
	server.write(writer, call, input, answer)
}

// moved is the new address of a call to the repository's former name.
func (server *Server) moved(request *http.Request) (string, bool) {
	rest, ok := strings.CutPrefix(request.URL.RequestURI(), "/repos/"+server.FormerName)
	if server.FormerName == "" || !ok || rest != "" && rest[0] != '/' {
		return "", false
	}
	return server.http.URL + "/repos/" + server.Repository.FullName + rest, true
}

func closeSegments(path string) string { return strings.ReplaceAll(path, ":.+}", "}") }

func (server *Server) answer(name string, parameters map[string]string, request *http.Request, body []byte) answer {
	handler, ok := handlers[name]
	if !ok {
		return failure(http.StatusNotImplemented, "this server does not answer "+name)
	}
	token := strings.TrimPrefix(request.Header.Get("Authorization"), "Bearer ")
	permissions, known := server.Tokens[token]
	if token != "" && !known {
		return failure(http.StatusUnauthorized, "Bad credentials")
	}
	if !allowed(handler.needs, permissions) {
		return failure(http.StatusForbidden, "Resource not accessible by integration")
	}
	if parameters["owner"]+"/"+parameters["repo"] != server.Repository.FullName {
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

func (server *Server) write(writer http.ResponseWriter, call string, input *openapi3filter.RequestValidationInput,
	answer answer) {
	header := http.Header{}
	header.Set("Content-Type", "application/json; charset=utf-8")
	if answer.location != "" {
		header.Set("Location", server.store.URL+answer.location)
	}
	var data []byte
	if list, ok := answer.body.([]any); ok && !answer.whole {
		answer.body = server.page(header, input.Request, list)
	} else if answer.list != "" {
		object := answer.body.(map[string]any)
		object[answer.list] = server.page(header, input.Request, object[answer.list].([]any))
	}
	if answer.body != nil {
		if answer.status < 300 {
			answer.body = server.complete(input.Route, answer)
		}
		data, _ = json.Marshal(answer.body)
	}
	output := &openapi3filter.ResponseValidationInput{RequestValidationInput: input, Status: answer.status, Header: header,
		Options: &openapi3filter.Options{IncludeResponseStatus: false, MultiError: true}}
	output.SetBodyBytes(data)
	if err := openapi3filter.ValidateResponse(input.Request.Context(), output); err != nil && answer.status < 300 {
		text := brief(err)
		if _, where, _ := strings.Cut(text, ": "); !deviations[call+" "+where] {
			server.violations = append(server.violations, fmt.Sprintf("answer %s: %s", call, text))
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

// brief keeps the lines of a validation error that say where and why; the rest quotes whole schemas.
func brief(err error) string {
	var kept []string
	for _, line := range strings.Split(err.Error(), "\n") {
		if strings.Contains(line, "rror at ") || len(kept) == 0 {
			kept = append(kept, strings.TrimSpace(line))
		}
	}
	return strings.Join(kept, "; ")
}
