//go:build ignore

// Trim cuts GitHub's published OpenAPI description down to the calls that package workflows makes.
// The description comes from the npm package @octokit/openapi:
//
//	npm pack @octokit/openapi@23.0.2 && tar xzf octokit-openapi-23.0.2.tgz
//	go run trim.go package/generated/api.github.com.json >api.github.com.trimmed.json
//
// It keeps the operations below with everything they refer to, and drops examples, prose and extensions:
// some published examples fail their own schemas, and none of them is a check.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strings"
)

// operations lists the calls, one line each as METHOD PATH.
var operations = []string{
	"get /repos/{owner}/{repo}",
	"get /repos/{owner}/{repo}/commits/{ref}/check-runs",
	"get /repos/{owner}/{repo}/compare/{basehead}",
	"get /repos/{owner}/{repo}/collaborators/{username}/permission",
	"get /repos/{owner}/{repo}/pulls/{pull_number}",
	"post /repos/{owner}/{repo}/issues/{issue_number}/reactions",
	"delete /repos/{owner}/{repo}/issues/{issue_number}/reactions/{reaction_id}",
	"get /repos/{owner}/{repo}/issues/comments/{comment_id}",
	"patch /repos/{owner}/{repo}/issues/comments/{comment_id}",
	"get /repos/{owner}/{repo}/issues/{issue_number}/comments",
	"post /repos/{owner}/{repo}/issues/{issue_number}/comments",
	"post /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions",
	"get /repos/{owner}/{repo}/issues",
	"post /repos/{owner}/{repo}/issues",
	"get /repos/{owner}/{repo}/issues/{issue_number}",
	"patch /repos/{owner}/{repo}/issues/{issue_number}",
	"get /repos/{owner}/{repo}/issues/{issue_number}/events",
	"post /repos/{owner}/{repo}/check-runs",
	"get /repos/{owner}/{repo}/check-runs/{check_run_id}",
	"patch /repos/{owner}/{repo}/check-runs/{check_run_id}",
	"get /repos/{owner}/{repo}/actions/runs",
	"get /repos/{owner}/{repo}/actions/runs/{run_id}",
	"get /repos/{owner}/{repo}/actions/runs/{run_id}/jobs",
	"post /repos/{owner}/{repo}/actions/runs/{run_id}/cancel",
	"get /repos/{owner}/{repo}/actions/runs/{run_id}/artifacts",
	"get /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/{archive_format}",
	"get /repos/{owner}/{repo}/actions/runners",
	"post /repos/{owner}/{repo}/actions/runners/generate-jitconfig",
	"post /orgs/{org}/actions/runners/generate-jitconfig",
	"get /repos/{owner}/{repo}/installation",
	"get /orgs/{org}/installation",
	"post /app/installations/{installation_id}/access_tokens",
	"get /repos/{owner}/{repo}/branches/{branch}",
	"get /repos/{owner}/{repo}/rules/branches/{branch}",
	"delete /repos/{owner}/{repo}/issues/{issue_number}/labels/{name}",
	"get /repos/{owner}/{repo}/actions/permissions",
	"get /repos/{owner}/{repo}/actions/permissions/fork-pr-contributor-approval",
	"get /repos/{owner}/{repo}/contents/{path}",
	"put /repos/{owner}/{repo}/contents/{path}",
	"get /repos/{owner}/{repo}/git/blobs/{file_sha}",
	"get /repos/{owner}/{repo}/git/ref/{ref}",
	"post /repos/{owner}/{repo}/git/refs",
}

// dropped are keys of prose and of vendors' extensions; inside "properties" they are names of fields and stay.
var dropped = map[string]bool{
	"description":     true,
	"summary":         true,
	"example":         true,
	"examples":        true,
	"externalDocs":    true,
	"tags":            true,
	"x-github":        true,
	"x-octokit":       true,
	"x-multi-segment": true,
	"x-webhooks":      true,
	"servers":         true,
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run trim.go api.github.com.json")
		os.Exit(2)
	}
	data, err := os.ReadFile(os.Args[1])
	check(err)
	var whole map[string]any
	check(json.Unmarshal(data, &whole))
	paths := map[string]any{}
	for _, operation := range operations {
		method, path, _ := strings.Cut(operation, " ")
		item, ok := whole["paths"].(map[string]any)[path].(map[string]any)
		if !ok || item[method] == nil {
			check(fmt.Errorf("%s is not in the description", operation))
		}
		if paths[path] == nil {
			paths[path] = map[string]any{}
		}
		paths[path].(map[string]any)[method] = clean(item[method], false)
	}
	components := map[string]any{}
	follow(paths, whole, components)
	out := map[string]any{
		"openapi": whole["openapi"], "paths": paths, "components": components,
		"info": map[string]any{
			"title":   "GitHub REST API, the calls of package workflows",
			"version": whole["info"].(map[string]any)["version"],
			"license": whole["info"].(map[string]any)["license"],
		},
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", " ")
	check(encoder.Encode(out))
}

// clean drops prose. A map that maps names of fields to schemas is kept whole.
func clean(node any, names bool) any {
	switch node := node.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, value := range node {
			if !names && dropped[key] && !(key == "description" && isResponse(node)) {
				continue
			}
			out[key] = clean(value, key == "properties" && !names)
		}
		return out
	case []any:
		out := make([]any, len(node))
		for i := range node {
			out[i] = clean(node[i], false)
		}
		return out
	}
	return node
}

// isResponse reports whether node is a response object: OpenAPI demands its description.
func isResponse(node map[string]any) bool {
	_, content := node["content"]
	_, headers := node["headers"]
	return content || headers || len(node) == 1
}

// follow copies what node refers to out of whole into components, and what that refers to.
func follow(node any, whole, components map[string]any) {
	switch node := node.(type) {
	case map[string]any:
		if reference, ok := node["$ref"].(string); ok {
			part := strings.Split(strings.TrimPrefix(reference, "#/components/"), "/")
			kind, name := part[0], part[1]
			if components[kind] == nil {
				components[kind] = map[string]any{}
			}
			if components[kind].(map[string]any)[name] == nil {
				target := clean(whole["components"].(map[string]any)[kind].(map[string]any)[name], false)
				components[kind].(map[string]any)[name] = target
				follow(target, whole, components)
			}
		}
		keys := make([]string, 0, len(node))
		for key := range node {
			keys = append(keys, key)
		}
		sort.Strings(keys)
		for _, key := range keys {
			follow(node[key], whole, components)
		}
	case []any:
		for _, value := range node {
			follow(value, whole, components)
		}
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "trim:", err)
		os.Exit(1)
	}
}
