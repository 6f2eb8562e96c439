package githubfake

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

type call struct {
	parameters map[string]string
	query      url.Values
	fields     map[string]any
}

func (call call) number(name string) int64 {
	n, _ := strconv.ParseInt(call.parameters[name], 10, 64)
	return n
}

func (call call) text(name string) string {
	text, _ := call.fields[name].(string)
	return text
}

type answer struct {
	status   int
	body     any
	list     string // the key of the list that is paginated
	whole    bool   // never paginated
	location string
}

func failure(status int, message string) answer {
	return answer{
		status: status,
		body: map[string]any{
			"message":           message,
			"documentation_url": "https://docs.github.com/rest",
			"status":            strconv.Itoa(status),
		},
	}
}

var notFound = failure(http.StatusNotFound, "Not Found")

type handler struct {
	// needs lists permissions, of which the token must have at least one; empty means public.
	needs []string
	serve func(server *Server, call call) answer
}

const root = "/repos/{owner}/{repo}"

var handlers = map[string]handler{
	"GET " + root:                                          {nil, getRepository},
	"GET " + root + "/compare/{basehead}":                  {[]string{"contents:read"}, compare},
	"GET " + root + "/collaborators/{username}/permission": {nil, getPermission},
	"GET " + root + "/pulls/{pull_number}": {[]string{"pull_requests:read", "contents:read"},
		getPull},
	"GET " + root + "/issues/comments/{comment_id}": {[]string{"pull_requests:read", "issues:read"},
		getComment},
	"PATCH " + root + "/issues/comments/{comment_id}": {[]string{"pull_requests:write", "issues:write"},
		editComment},
	"GET " + root + "/issues/{issue_number}/comments": {[]string{"pull_requests:read", "issues:read"},
		listComments},
	"POST " + root + "/issues/{issue_number}/comments": {[]string{"pull_requests:write", "issues:write"},
		createComment},
	"POST " + root + "/issues/comments/{comment_id}/reactions": {[]string{"pull_requests:write"}, react},
	"POST " + root + "/issues/{issue_number}/reactions":        {[]string{"pull_requests:write"}, reactToPull},
	"DELETE " + root + "/issues/{issue_number}/reactions/{reaction_id}": {[]string{"pull_requests:write"},
		deletePullReaction},
	"GET " + root + "/issues/{issue_number}/events": {[]string{"pull_requests:read", "issues:read"}, listEvents},
	"DELETE " + root + "/issues/{issue_number}/labels/{name}": {[]string{"pull_requests:write", "issues:write"},
		removeLabel},
	"GET " + root + "/commits/{ref}/check-runs":                         {[]string{"checks:read"}, listCheckRuns},
	"POST " + root + "/check-runs":                                      {[]string{"checks:write"}, createCheckRun},
	"GET " + root + "/check-runs/{check_run_id}":                        {[]string{"checks:read"}, getCheckRun},
	"PATCH " + root + "/check-runs/{check_run_id}":                      {[]string{"checks:write"}, updateCheckRun},
	"GET " + root + "/actions/runs/{run_id}/jobs":                       {[]string{"actions:read"}, listJobs},
	"POST " + root + "/actions/runs/{run_id}/cancel":                    {[]string{"actions:write"}, cancelRun},
	"GET " + root + "/actions/runs/{run_id}/artifacts":                  {[]string{"actions:read"}, listArtifacts},
	"GET " + root + "/actions/artifacts/{artifact_id}/{archive_format}": {[]string{"actions:read"}, downloadArtifact},
	"GET " + root + "/actions/runners":                                  {[]string{"administration:read"}, listRunners},
	"GET " + root + "/actions/permissions": {[]string{"administration:read"},
		getActionsPermissions},
	"GET " + root + "/actions/permissions/fork-pr-contributor-approval": {[]string{"administration:read"}, getApproval},
	"GET " + root + "/installation":                                     {[]string{asApp}, getInstallation},
	"GET /orgs/{org}/installation":                                      {[]string{asApp}, getInstallation},
	"POST /app/installations/{installation_id}/access_tokens":           {[]string{asApp}, createToken},
	"POST " + root + "/actions/runners/generate-jitconfig": {[]string{"administration:write"},
		registerRunner},
	"POST /orgs/{org}/actions/runners/generate-jitconfig": {
		[]string{"organization_self_hosted_runners:write"}, registerRunner},
	"GET " + root + "/rules/branches/{branch}": {nil, getRules},
	"GET " + root + "/branches/{branch}":       {[]string{"contents:read"}, getBranch},
	"GET " + root + "/issues":                  {[]string{"issues:read"}, listIssues},
	"POST " + root + "/issues":                 {[]string{"issues:write"}, createIssue},
	"GET " + root + "/issues/{issue_number}":   {[]string{"issues:read"}, getIssue},
	"PATCH " + root + "/issues/{issue_number}": {[]string{"issues:write"}, editIssue},
	"GET " + root + "/contents/{path}":         {[]string{"contents:read"}, getContents},
	"PUT " + root + "/contents/{path}":         {[]string{"contents:write"}, putContents},
	"GET " + root + "/git/blobs/{file_sha}":    {[]string{"contents:read"}, getBlob},
	"GET " + root + "/git/ref/{ref}":           {[]string{"contents:read"}, getRef},
	"POST " + root + "/git/refs":               {[]string{"contents:write"}, createRef},
}

func getRepository(server *Server, _ call) answer {
	owner, name, _ := strings.Cut(server.Repository.FullName, "/")
	kind := "Organization"
	if server.Repository.Personal {
		kind = "User"
	}
	return answer{
		status: 200,
		body: map[string]any{
			"id":             server.Repository.ID,
			"name":           name,
			"full_name":      server.Repository.FullName,
			"default_branch": server.Repository.DefaultBranch,
			"private":        server.Repository.Private,
			"owner":          map[string]any{"login": owner, "type": kind},
		},
	}
}

func compare(server *Server, call call) answer {
	left, right, ok := strings.Cut(call.parameters["basehead"], "...")
	base, baseOK := server.resolve(left)
	head, headOK := server.resolve(right)
	if !ok || !baseOK || !headOK {
		return notFound
	}
	merge, err := server.git("merge-base", base, head)
	if err != nil {
		return notFound
	}
	status := "diverged"
	switch {
	case base == head:
		status = "identical"
	case merge == head:
		status = "behind"
	case merge == base:
		status = "ahead"
	}
	commit := func(sha string) map[string]any { return map[string]any{"sha": sha} }
	return answer{
		status: 200,
		body:   map[string]any{"status": status, "merge_base_commit": commit(merge), "base_commit": commit(base)},
	}
}

func getPermission(server *Server, call call) answer {
	level, known := server.Permission[call.parameters["username"]]
	if !known {
		level = "none"
	}
	return answer{status: 200, body: map[string]any{"permission": level, "role_name": level}}
}

func getPull(server *Server, call call) answer {
	pull, ok := server.Pulls[int(call.number("pull_number"))]
	if !ok {
		return notFound
	}
	var headRepository any
	if pull.HeadRepository != 0 {
		headRepository = map[string]any{"id": pull.HeadRepository}
	}
	return answer{status: 200, body: map[string]any{"number": pull.Number, "state": pull.State,
		"base": map[string]any{"ref": pull.BaseRef, "sha": pull.BaseSHA, "repo": map[string]any{"id": server.Repository.ID}},
		"head": map[string]any{"ref": pull.HeadRef, "sha": pull.HeadSHA, "repo": headRepository}}}
}

func (server *Server) comment(comment *Comment) map[string]any {
	var app any
	if comment.App != "" {
		app = map[string]any{"slug": comment.App}
	}
	return map[string]any{
		"id":                       comment.ID,
		"performed_via_github_app": app,
		"body":                     comment.Body,
		"user":                     map[string]any{"login": comment.Author, "type": comment.Kind, "id": 7},
		"created_at":               comment.Created.Format(time.RFC3339),
		"updated_at":               comment.Updated.Format(time.RFC3339),
		"author_association":       "OWNER", // deliberately wrong: callers must not rely on it
		"issue_url": fmt.Sprintf("%s/repos/%s/issues/%d", server.api.URL, server.Repository.FullName,
			comment.Number),
	}
}

func (server *Server) findComment(id int64) *Comment {
	for _, comment := range server.Comments {
		if comment.ID == id {
			return comment
		}
	}
	return nil
}

func getComment(server *Server, call call) answer {
	comment := server.findComment(call.number("comment_id"))
	if comment == nil {
		return notFound
	}
	return answer{status: 200, body: server.comment(comment)}
}

func editComment(server *Server, call call) answer {
	comment := server.findComment(call.number("comment_id"))
	if comment == nil {
		return notFound
	}
	if comment.Author != server.Bot {
		return failure(http.StatusForbidden, "Resource not accessible by integration")
	}
	comment.Body, comment.Updated = call.text("body"), server.tick()
	return answer{status: 200, body: server.comment(comment)}
}

func listComments(server *Server, call call) answer {
	list := []any{}
	for _, comment := range server.Comments {
		if int64(comment.Number) == call.number("issue_number") && listed(&comment.Unlisted) {
			list = append(list, server.comment(comment))
		}
	}
	return answer{status: 200, body: list}
}

func createComment(server *Server, call call) answer {
	if len(call.text("body")) > 65536 {
		return failure(http.StatusUnprocessableEntity, "body is too long (maximum is 65536 characters)")
	}
	comment := server.AddComment(int(call.number("issue_number")), server.Bot, call.text("body"))
	comment.Kind, comment.Unlisted = "Bot", server.ListLag
	return answer{status: 201, body: server.comment(comment)}
}

func react(server *Server, call call) answer {
	if server.findComment(call.number("comment_id")) == nil {
		return notFound
	}
	reaction := Reaction{Comment: call.number("comment_id"), Content: call.text("content")}
	status := 200
	if !slices.Contains(server.Reactions, reaction) {
		server.Reactions = append(server.Reactions, reaction)
		status = 201
	}
	return answer{status: status, body: map[string]any{"id": 1, "content": reaction.Content}}
}

// reactToPull answers 201 if the call creates the reaction and 200 if it exists.
func reactToPull(server *Server, call call) answer {
	number := int(call.number("issue_number"))
	if server.Pulls[number] == nil {
		return notFound
	}
	body := func(reaction PullReaction) map[string]any {
		return map[string]any{"id": reaction.ID, "content": reaction.Content}
	}
	for _, reaction := range server.PullReactions {
		if reaction.Number == number && reaction.Content == call.text("content") {
			return answer{status: 200, body: body(reaction)}
		}
	}
	made := PullReaction{ID: server.identifier(), Number: number, Content: call.text("content")}
	server.PullReactions = append(server.PullReactions, made)
	return answer{status: 201, body: body(made)}
}

func deletePullReaction(server *Server, call call) answer {
	for i, reaction := range server.PullReactions {
		if reaction.ID == call.number("reaction_id") {
			server.PullReactions = slices.Delete(server.PullReactions, i, i+1)
			return answer{status: 204}
		}
	}
	return notFound
}
