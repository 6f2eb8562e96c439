package plan

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/chiasmus/chiasmus/internal/words"
	"github.com/chiasmus/chiasmus/stats"
)

// An Identity is the part of a decision that determines the measurement. It is the first record of the journal: if
// run.json was changed afterwards, for example to another seed or more pairs, the run is no longer the planned one.
type Identity struct {
	Base                    string            `json:"base"` // SHA
	Head                    string            `json:"head"`
	Further                 []string          `json:"further_heads,omitempty"`
	BaseEnv                 map[string]string `json:"base_env,omitempty"`
	HeadEnv                 map[string]string `json:"head_env,omitempty"`
	ConfigSHA256            string            `json:"config_sha256"`
	Workloads               []string          `json:"workloads"`
	Plan                    Plan              `json:"plan"`
	AllowDifferentStatement bool              `json:"allow_different_statement"`
	NewProofFormat          bool              `json:"new_proof_format,omitempty"`
	PullRequest             bool              `json:"pull_request,omitempty"`
	FailOn                  []stats.Verdict   `json:"fail_on"`
}

// Identity returns the identity of the decision.
func (d *Decision) Identity() Identity {
	return Identity{
		Base:                    d.Base.SHA,
		Head:                    d.Head.SHA,
		Further:                 d.furtherSHAs(),
		BaseEnv:                 d.Base.Env,
		HeadEnv:                 d.Head.Env,
		ConfigSHA256:            d.ConfigSHA256,
		Workloads:               d.Workloads,
		Plan:                    d.Plan,
		AllowDifferentStatement: d.AllowDifferentStatement,
		NewProofFormat:          d.NewProofFormat,
		PullRequest:             d.PullRequest,
		FailOn:                  d.FailOn,
	}
}

func (d *Decision) furtherSHAs() []string {
	var list []string
	for _, r := range d.Further {
		list = append(list, r.SHA)
	}
	return list
}

// Changes lists the differences to another identity, one sentence each.
func (id Identity) Changes(now Identity) []string {
	before, after := id.flat(), now.flat()
	var changed []string
	for _, key := range slices.Sorted(maps.Keys(before)) {
		if after[key] != before[key] {
			changed = append(changed, fmt.Sprintf("%s was %s and is %s", key, before[key], words.OrMissing(after[key])))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(after)) {
		if _, known := before[key]; !known {
			changed = append(changed, fmt.Sprintf("%s was missing and is %s", key, after[key]))
		}
	}
	return changed
}

// flat lists the values of an identity by their JSON path.
func (id Identity) flat() map[string]string {
	text, err := json.Marshal(id)
	if err != nil {
		panic(err) // strings, numbers and lists of them always marshal
	}
	var fields map[string]json.RawMessage
	_ = json.Unmarshal(text, &fields) // it was just written
	values := map[string]string{}
	flatten("", fields, values)
	return values
}

func flatten(path string, fields map[string]json.RawMessage, into map[string]string) {
	for key, raw := range fields {
		var inner map[string]json.RawMessage
		if json.Unmarshal(raw, &inner) == nil && inner != nil {
			flatten(path+key+".", inner, into)
			continue
		}
		into[path+key] = string(raw)
	}
}
