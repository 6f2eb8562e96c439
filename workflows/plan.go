package workflows

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// maxPlan bounds the size of a plan: 64 workloads with the longest names, the digests of the largest number of
// baselines, and everything else.
const maxPlan = 48 << 10

// planSchema is the version of Plan's JSON.
const planSchema = "chiasmus.plan/1"

// A Plan is the gate's decision. The other jobs check it against the hash that the gate's job outputs, so only the
// controller can write a plan. A result names its plan by Hash.
type Plan struct {
	Schema string `json:"schema"`
	// RepositoryID and Repository (owner/name) identify the repository in which everything is posted.
	RepositoryID int64  `json:"repository_id"`
	Repository   string `json:"repository"`
	PullRequest  int    `json:"pull_request"`
	// Trigger is the kind of event that started the run. A push has no pull request.
	Trigger Trigger `json:"trigger,omitempty"`
	// CommentID is the requesting comment and Requester its author. For a label they are the event and the account that
	// set it; a push has no comment.
	CommentID int64  `json:"comment_id"`
	Requester string `json:"requester"`
	// RunID and RunAttempt identify the workflow run; a repeated run has another attempt.
	RunID      int64 `json:"run_id"`
	RunAttempt int   `json:"run_attempt"`
	// CheckRunID and ProgressCommentID identify the check run and the comment that the gate created for this run.
	CheckRunID        int64 `json:"check_run_id"`
	ProgressCommentID int64 `json:"progress_comment_id"`
	// Base and Head are the pinned commits, 40 digits each.
	Base string `json:"base"`
	Head string `json:"head"`
	// BaseDescription is the origin of Base, such as "merge base with main".
	BaseDescription string `json:"base_description"`
	// Fork is set if head lives in another repository, or in a deleted one.
	Fork bool `json:"fork"`
	// Pairs, Analyses, PreCheck and Workloads override bench.yaml; zero values do not.
	Pairs     int      `json:"pairs,omitempty"`
	Analyses  int      `json:"looks,omitempty"`
	PreCheck  int      `json:"tier,omitempty"`
	Workloads []string `json:"workloads,omitempty"`
	// HeadConfig is set if the comment requested head's bench.yaml.
	HeadConfig bool `json:"head_config"`
	// Inconclusive is the conclusion of the check run for an inconclusive or borderline verdict: neutral or failure.
	Inconclusive string `json:"inconclusive"`
	// Deadline is the maximum duration of the measurement, as a Go duration.
	Deadline string `json:"deadline"`
	// Baselines are the digests of nights' measurements that the run may use; the measurements travel next to the plan.
	Baselines []string `json:"baselines,omitempty"`
	// Notes are shown under the verdict, such as a number of pairs that was capped.
	Notes []string `json:"notes,omitempty"`
	// Created is the time of the gate's acceptance, in UTC.
	Created time.Time `json:"created"`
	// Dependencies are added to the gate's plan by the job that fetches them; see With.
	Dependencies Dependencies `json:"dependencies,omitempty"`
}

// Encode returns the plan as one line of JSON.
func (plan *Plan) Encode() []byte {
	data, err := json.Marshal(plan)
	if err != nil { // a struct of strings, numbers and a time always encodes
		panic(err)
	}
	return data
}

// Hash is the SHA-256 of Encode, in hexadecimal.
func (plan *Plan) Hash() string {
	sum := sha256.Sum256(plan.Encode())
	return hex.EncodeToString(sum[:])
}

// DecodePlan parses a plan strictly: unknown keys, another schema, trailing data and malformed commits are errors.
func DecodePlan(data []byte) (*Plan, error) {
	if len(data) > maxPlan {
		return nil, fmt.Errorf("the plan has %d bytes, at most %d are read", len(data), maxPlan)
	}
	plan := &Plan{}
	if err := DecodeStrict(data, plan); err != nil {
		return nil, fmt.Errorf("decode the plan: %w", err)
	}
	switch {
	case plan.Schema != planSchema:
		return nil, fmt.Errorf("the plan has schema %q, this harness reads %s", plan.Schema, planSchema)
	case !commitPattern.MatchString(plan.Base) || !commitPattern.MatchString(plan.Head):
		return nil, fmt.Errorf("the plan names a base or head that is not a full commit")
	}
	if _, err := time.ParseDuration(plan.Deadline); err != nil {
		return nil, fmt.Errorf("the plan's deadline %q is not a duration", plan.Deadline)
	}
	return plan, nil
}

// Commits are the two pinned commits.
func (plan *Plan) Commits() []string { return []string{plan.Base, plan.Head} }

// ConfigCommit is the commit whose bench.yaml is used; empty means the default branch's.
func (plan *Plan) ConfigCommit() string {
	if plan.HeadConfig {
		return plan.Head
	}
	return ""
}

// externalID identifies the check run of one attempt of one workflow run, so that a repeated write finds it.
func (plan *Plan) externalID() string {
	return externalID(plan.RunID, plan.RunAttempt, plan.CommentID)
}

func externalID(run int64, attempt int, comment int64) string {
	return fmt.Sprintf("chiasmus/%d/%d/%d", run, attempt, comment)
}

// DecodeStrict decodes one JSON value. A key that into does not have is an error, and so is trailing data.
func DecodeStrict(data []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return fmt.Errorf("trailing data after the JSON value")
	}
	return nil
}
