package site

import (
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
)

// Handler serves the pages over a folder. It scans the folder on every request, so new runs appear at once. It answers
// only GET and HEAD requests whose Host is localhost or a loopback address, which prevents DNS rebinding by other
// sites.
func Handler(folder, version string) http.Handler {
	var reports loader
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page := strings.TrimPrefix(r.URL.Path, "/")
		if page == "" {
			page = indexPage
		}
		switch {
		case !local(r.Host):
			http.Error(w, "only requests to localhost or a loopback address are served", http.StatusForbidden)
			return
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			http.Error(w, "only GET and HEAD are allowed", http.StatusMethodNotAllowed)
			return
		}
		s, err := reports.load(folder, version)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		var text strings.Builder
		switch err := s.write(&text, page); {
		case errors.Is(err, errNoPage):
			http.NotFound(w, r)
			return
		case err != nil:
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Referrer-Policy", "no-referrer")
		// Each page contains its own policy. These are the directives that a page cannot set itself.
		w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'unsafe-inline'; "+
			"style-src 'unsafe-inline'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'")
		_, _ = io.WriteString(w, text.String()) // the client may be gone
	})
}

// local reports whether a request's Host is localhost or a loopback address.
func local(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = host
	}
	ip := net.ParseIP(strings.Trim(name, "[]"))
	return name == "localhost" || ip != nil && ip.IsLoopback()
}
