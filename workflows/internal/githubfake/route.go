package githubfake

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// slashed are the parameters whose values may contain slashes. They are last in their path.
var slashed = map[string]bool{"{path}": true, "{ref}": true, "{basehead}": true}

// route returns the call of a request, as METHOD and the handler's path, and its parameters. If several handlers match,
// the one with the fewest parameters wins. A request that matches none is its own name.
func route(method, path string) (call string, parameters map[string]string) {
	best := -1
	for name := range handlers {
		want, pattern, _ := strings.Cut(name, " ")
		if want != method {
			continue
		}
		if found, ok := match(pattern, path); ok && (best < 0 || len(found) < best) {
			call, parameters, best = name, found, len(found)
		}
	}
	if best < 0 {
		return method + " " + path, nil
	}
	return call, parameters
}

// match extracts the parameters of a path as sent.
func match(pattern, path string) (map[string]string, bool) {
	wanted, given := strings.Split(pattern, "/"), strings.Split(path, "/")
	parameters := map[string]string{}
	for i, segment := range wanted {
		if i >= len(given) {
			return nil, false
		}
		value := given[i]
		last := i == len(wanted)-1
		if last && slashed[segment] {
			value = strings.Join(given[i:], "/")
		} else if last && len(given) > len(wanted) {
			return nil, false
		}
		name, isParameter := strings.CutPrefix(segment, "{")
		if !isParameter {
			if segment != value {
				return nil, false
			}
			continue
		}
		plain, err := url.PathUnescape(value)
		if err != nil || value == "" {
			return nil, false
		}
		parameters[strings.TrimSuffix(name, "}")] = plain
	}
	return parameters, true
}

// page returns the requested page of a list and adds a link to the next one.
func (server *Server) page(header http.Header, request *http.Request, list []any) []any {
	query := request.URL.Query()
	number, size := max(1, atoi(query.Get("page"), 1)), min(100, max(1, atoi(query.Get("per_page"), 30)))
	if server.PageSize > 0 {
		size = min(size, server.PageSize)
	}
	start, end := min(len(list), (number-1)*size), min(len(list), number*size)
	if end < len(list) {
		query.Set("page", strconv.Itoa(number+1))
		header.Set("Link", fmt.Sprintf(`<%s%s?%s>; rel="next"`, server.api.URL, request.URL.Path, query.Encode()))
	}
	return append([]any{}, list[start:end]...)
}

func atoi(text string, otherwise int) int {
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	return otherwise
}
