package githubfake

import (
	"fmt"
	"slices"
	"time"
)

// Labels of pull requests.

func listEvents(server *Server, call call) answer {
	pull, ok := server.Pulls[int(call.number("issue_number"))]
	if !ok {
		return notFound
	}
	list := []any{}
	for _, labelled := range pull.Labelled {
		var app any
		if labelled.App != "" {
			app = map[string]any{"slug": labelled.App}
		}
		list = append(list, map[string]any{
			"id":                       labelled.ID,
			"event":                    "labeled",
			"url":                      fmt.Sprintf("%s/events/%d", server.api.URL, labelled.ID),
			"actor":                    map[string]any{"login": labelled.Actor, "type": labelled.Kind, "id": 7},
			"label":                    map[string]any{"name": labelled.Label, "color": "ffffff"},
			"commit_id":                nil,
			"commit_url":               nil,
			"created_at":               server.Clock.Format(time.RFC3339),
			"performed_via_github_app": app,
		})
	}
	return answer{status: 200, body: list}
}

func removeLabel(server *Server, call call) answer {
	pull, ok := server.Pulls[int(call.number("issue_number"))]
	if !ok {
		return notFound
	}
	i := slices.Index(pull.Labels, call.parameters["name"])
	if i < 0 {
		return notFound
	}
	pull.Labels = slices.Delete(pull.Labels, i, i+1)
	left := []any{}
	for _, label := range pull.Labels {
		left = append(left, map[string]any{"name": label})
	}
	return answer{status: 200, body: left, whole: true}
}
