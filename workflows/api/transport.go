package api

import (
	"fmt"
	"net/http"
	"net/url"
)

// maxMoves bounds the redirects followed for renamed or transferred repositories.
const maxMoves = 5

// A transport sends the token only to the API's own host, and follows redirects of moved repositories there. Go's
// client would turn a redirected POST into a GET, and go-github's would send its token to any host that a redirect
// names.
type transport struct {
	token string
	api   *url.URL
	next  http.RoundTripper
}

// RoundTrip implements http.RoundTripper. It returns a redirect to another host to the caller.
func (transport *transport) RoundTrip(request *http.Request) (*http.Response, error) {
	for range maxMoves {
		response, err := transport.next.RoundTrip(transport.authorize(request))
		if err != nil || !moved(response.StatusCode) {
			return response, err
		}
		target, err := response.Location()
		if err != nil || !transport.own(target) {
			return response, nil
		}
		response.Body.Close()
		if request, err = redirected(request, target); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("%s has moved more than %d times", request.URL.Path, maxMoves)
}

// authorize adds the token for the API's own host and removes it for all others.
func (transport *transport) authorize(request *http.Request) *http.Request {
	request = request.Clone(request.Context())
	request.Header.Del("Authorization")
	if transport.token != "" && transport.own(request.URL) {
		request.Header.Set("Authorization", "Bearer "+transport.token)
	}
	return request
}

func (transport *transport) own(target *url.URL) bool {
	return target.Scheme == transport.api.Scheme && target.Host == transport.api.Host
}

func moved(status int) bool {
	return status == http.StatusMovedPermanently || status == http.StatusTemporaryRedirect ||
		status == http.StatusPermanentRedirect
}

// redirected returns the same request, including method and body, for its new address.
func redirected(request *http.Request, target *url.URL) (*http.Request, error) {
	again := request.Clone(request.Context())
	again.URL, again.Host = target, ""
	if request.Body == nil || request.Body == http.NoBody {
		return again, nil
	}
	if request.GetBody == nil {
		return nil, fmt.Errorf("%s %s has moved, and its body cannot be sent again", request.Method, request.URL.Path)
	}
	body, err := request.GetBody()
	again.Body = body
	return again, err
}
