package githubfake

import (
	"crypto/sha1"
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// Issues, files on branches, and the repository's settings.

func issue(issue *Issue) map[string]any {
	labels := []any{}
	for _, label := range issue.Labels {
		labels = append(labels, map[string]any{"name": label})
	}
	return map[string]any{
		"number": issue.Number,
		"title":  issue.Title,
		"body":   issue.Body,
		"state":  issue.State,
		"labels": labels,
		"user":   map[string]any{"login": issue.Author, "type": "Bot"},
	}
}

func listIssues(server *Server, call call) answer {
	list := []any{}
	for i := len(server.Issues) - 1; i >= 0; i-- {
		one := server.Issues[i]
		matches := call.query.Get("state") == "all" || call.query.Get("state") == one.State ||
			call.query.Get("state") == "" && one.State == "open"
		for _, label := range strings.FieldsFunc(call.query.Get("labels"), func(r rune) bool { return r == ',' }) {
			matches = matches && slices.Contains(one.Labels, label)
		}
		if creator := call.query.Get("creator"); matches && (creator == "" || creator == one.Author) &&
			listed(&one.Unlisted) {
			list = append(list, issue(one))
		}
	}
	return answer{status: 200, body: list}
}

func createIssue(server *Server, call call) answer {
	one := &Issue{
		Number:   int(server.identifier()),
		Unlisted: server.ListLag,
		Author:   server.Bot,
		Title:    call.text("title"),
		Body:     call.text("body"),
		State:    "open",
	}
	if labels, ok := call.fields["labels"].([]any); ok {
		for _, label := range labels {
			one.Labels = append(one.Labels, fmt.Sprint(label))
		}
	}
	server.tick()
	server.Issues = append(server.Issues, one)
	return answer{status: 201, body: issue(one)}
}

func (server *Server) findIssue(number int64) *Issue {
	for _, one := range server.Issues {
		if int64(one.Number) == number {
			return one
		}
	}
	return nil
}

func getIssue(server *Server, call call) answer {
	one := server.findIssue(call.number("issue_number"))
	if one == nil {
		return notFound
	}
	return answer{status: 200, body: issue(one)}
}

func editIssue(server *Server, call call) answer {
	one := server.findIssue(call.number("issue_number"))
	if one == nil {
		return notFound
	}
	for key, target := range map[string]*string{"title": &one.Title, "body": &one.Body, "state": &one.State} {
		if text := call.text(key); text != "" {
			*target = text
		}
	}
	return answer{status: 200, body: issue(one)}
}

func blob(content []byte) string {
	return fmt.Sprintf("%x", sha1.Sum(append([]byte(fmt.Sprintf("blob %d\x00", len(content))), content...)))
}

// largestContent is the largest file that GitHub returns inline; larger files are blobs.
const largestContent = 1 << 20

func getContents(server *Server, call call) answer {
	path := call.parameters["path"]
	files := server.Files[call.query.Get("ref")]
	content, ok := files[path]
	if !ok {
		return listFolder(files, path)
	}
	encoding, text := "base64", base64.StdEncoding.EncodeToString(content)
	if len(content) > largestContent {
		encoding, text = "none", ""
	}
	return answer{
		status: 200,
		body: map[string]any{"type": "file", "encoding": encoding, "size": len(content), "name": path, "path": path,
			"content": text, "sha": blob(content)},
	}
}

// listFolder lists the files directly in a folder.
func listFolder(files map[string][]byte, folder string) answer {
	prefix := ""
	if folder != "" {
		prefix = folder + "/"
	}
	list := []any{}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		if name, ok := strings.CutPrefix(path, prefix); ok && !strings.Contains(name, "/") {
			list = append(list, map[string]any{
				"type": "file",
				"size": len(files[path]),
				"name": name,
				"path": path,
				"sha":  blob(files[path]),
			})
		}
	}
	if len(list) == 0 {
		return notFound
	}
	return answer{status: 200, body: list, whole: true}
}

func getBlob(server *Server, call call) answer {
	for _, files := range server.Files {
		for _, content := range files {
			if blob(content) == call.parameters["file_sha"] {
				return answer{
					status: 200,
					body: map[string]any{
						"sha":      blob(content),
						"size":     len(content),
						"encoding": "base64",
						"content":  lines(base64.StdEncoding.EncodeToString(content)),
					},
				}
			}
		}
	}
	return notFound
}

// lines wraps base64 text as GitHub does.
func lines(text string) string {
	var out strings.Builder
	for chunk := range slices.Chunk([]byte(text), 60) {
		out.Write(chunk)
		out.WriteByte('\n')
	}
	return out.String()
}

func putContents(server *Server, call call) answer {
	path, branch := call.parameters["path"], call.text("branch")
	content, err := base64.StdEncoding.DecodeString(call.text("content"))
	if err != nil {
		return failure(http.StatusUnprocessableEntity, "content is not valid Base64")
	}
	old, exists := server.Files[branch][path]
	if exists && call.text("sha") != blob(old) {
		return failure(http.StatusConflict, path+" does not match "+call.text("sha"))
	}
	if server.Files[branch] == nil {
		server.Files[branch] = map[string][]byte{}
	}
	server.Files[branch][path] = content
	server.tick()
	status := 200
	if !exists {
		status = 201
	}
	return answer{
		status: status,
		body:   map[string]any{"content": map[string]any{"path": path, "sha": blob(content)}, "commit": map[string]any{}},
	}
}

func reference(branch string) map[string]any {
	return map[string]any{
		"ref":    "refs/heads/" + branch,
		"object": map[string]any{"type": "commit", "sha": blob([]byte(branch))},
	}
}

func getRef(server *Server, call call) answer {
	name := strings.TrimPrefix(call.parameters["ref"], "heads/")
	_, written := server.Files[name]
	if !written && !slices.Contains(server.Branches, name) {
		return notFound
	}
	return answer{status: 200, body: reference(name)}
}

func createRef(server *Server, call call) answer {
	server.Files[strings.TrimPrefix(call.text("ref"), "refs/heads/")] = map[string][]byte{}
	return answer{status: 201, body: reference(strings.TrimPrefix(call.text("ref"), "refs/heads/"))}
}

func listRunners(server *Server, _ call) answer {
	list := []any{}
	for i, runner := range server.Runners {
		labels := []any{}
		for _, label := range runner.Labels {
			labels = append(labels, map[string]any{"name": label})
		}
		status := "offline"
		if runner.Online {
			status = "online"
		}
		list = append(list, map[string]any{
			"id":        i + 1,
			"name":      runner.Name,
			"os":        "linux",
			"status":    status,
			"busy":      false,
			"ephemeral": runner.Ephemeral,
			"labels":    labels,
		})
	}
	return answer{status: 200, body: map[string]any{"total_count": len(list), "runners": list}, list: "runners"}
}

func getActionsPermissions(*Server, call) answer {
	return answer{status: 200, body: map[string]any{"enabled": true}}
}

func getApproval(server *Server, _ call) answer {
	return answer{status: 200, body: map[string]any{"approval_policy": server.ApprovalPolicy}}
}
