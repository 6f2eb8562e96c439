package githubtest

import (
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"github.com/chiasmus/chiasmus/workflows/internal/githubfake"
)

//go:embed openapi/api.github.com.trimmed.json
var source []byte

// Names of package githubfake, so that a test needs only one import.
type (
	Server       = githubfake.Server
	State        = githubfake.State
	Permissions  = githubfake.Permissions
	Fault        = githubfake.Fault
	Repository   = githubfake.Repository
	Pull         = githubfake.Pull
	Comment      = githubfake.Comment
	PullReaction = githubfake.PullReaction
	CheckRun     = githubfake.CheckRun
	Artifact     = githubfake.Artifact
	Job          = githubfake.Job
	Runner       = githubfake.Runner
)

// New starts a server that checks every call against GitHub's description. Close stops it.
func New(state State) (*Server, error) {
	router, err := describe()
	if err != nil {
		return nil, err
	}
	return githubfake.New(state, description{router})
}

type description struct{ router routers.Router }

// describe parses GitHub's description, once per process.
var describe = sync.OnceValues(func() (routers.Router, error) {
	document, err := openapi3.NewLoader().LoadFromData(openSegments(source))
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

// deviations are responses that GitHub gives although its description forbids them.
var deviations = map[string]bool{
	// The repository of a deleted fork is null, which the description of a pull request does not allow.
	`GET /repos/{owner}/{repo}/pulls/{pull_number} Error at "/head/repo": Value is not nullable`: true,
}

// openSegments lets parameters that contain slashes match, which OpenAPI cannot express.
func openSegments(description []byte) []byte {
	for _, path := range []string{"/contents/{path}", "/git/ref/{ref}", "/compare/{basehead}", "/commits/{ref}\""} {
		name := path[strings.Index(path, "{")+1 : strings.Index(path, "}")]
		description = bytes.ReplaceAll(description, []byte(path),
			[]byte(strings.Replace(path, "{"+name+"}", "{"+name+":.+}", 1)))
	}
	return description
}

// An exchange is one call in the description.
type exchange struct {
	request *http.Request
	body    []byte
	route   *routers.Route
	input   *openapi3filter.RequestValidationInput
}

func (description description) Exchange(request *http.Request, body []byte) (githubfake.Exchange, error) {
	route, parameters, err := description.router.FindRoute(request)
	if err != nil {
		return nil, err
	}
	for name, value := range parameters { // the router uses the path as sent
		if plain, err := url.PathUnescape(value); err == nil {
			parameters[name] = plain
		}
	}
	return &exchange{request: request, body: body, route: route, input: &openapi3filter.RequestValidationInput{
		Request: request, PathParams: parameters, Route: route,
		Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, MultiError: true}}}, nil
}

func (exchange *exchange) Broken() string {
	err := openapi3filter.ValidateRequest(exchange.request.Context(), exchange.input)
	exchange.request.Body = io.NopCloser(bytes.NewReader(exchange.body)) // the check has consumed it
	if err != nil {
		return brief(err)
	}
	return ""
}

func (exchange *exchange) Answered(status int, header http.Header, body []byte) string {
	output := &openapi3filter.ResponseValidationInput{RequestValidationInput: exchange.input, Status: status,
		Header: header, Options: &openapi3filter.Options{IncludeResponseStatus: false, MultiError: true}}
	output.SetBodyBytes(body)
	err := openapi3filter.ValidateResponse(exchange.request.Context(), output)
	if err == nil {
		return ""
	}
	text := brief(err)
	call := exchange.request.Method + " " + strings.ReplaceAll(exchange.route.Path, ":.+}", "}")
	if _, where, _ := strings.Cut(text, ": "); deviations[call+" "+where] {
		return ""
	}
	return text
}

// Complete merges the response's fields into a minimal instance of the schema, so that the response has every required
// field without the handler naming fields that nobody reads.
func (exchange *exchange) Complete(status int, body any) any {
	response := exchange.route.Operation.Responses.Status(status)
	if response == nil || response.Value == nil {
		return body
	}
	media := response.Value.Content.Get("application/json")
	if media == nil || media.Schema == nil {
		return body
	}
	return overlay(media.Schema.Value, body, 0)
}

// brief keeps the lines of a validation error that say where and why; the rest quotes entire schemas.
func brief(err error) string {
	var kept []string
	for _, line := range strings.Split(err.Error(), "\n") {
		if strings.Contains(line, "rror at ") || len(kept) == 0 {
			kept = append(kept, strings.TrimSpace(line))
		}
	}
	return strings.Join(kept, "; ")
}
