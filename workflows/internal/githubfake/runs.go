package githubfake

import "time"

// Check runs, jobs and artifacts.

func checkRun(run *CheckRun) map[string]any {
	var conclusion any
	if run.Conclusion != "" {
		conclusion = run.Conclusion
	}
	return map[string]any{
		"id":          run.ID,
		"name":        run.Name,
		"head_sha":    run.SHA,
		"external_id": run.ExternalID,
		"status":      run.Status,
		"conclusion":  conclusion,
		"output":      map[string]any{"title": run.Title, "summary": run.Summary},
	}
}

func (run *CheckRun) set(fields map[string]any) {
	call := call{fields: fields}
	if status := call.text("status"); status != "" {
		run.Status = status
	}
	if conclusion := call.text("conclusion"); conclusion != "" {
		run.Conclusion = conclusion
	}
	if output, ok := fields["output"].(map[string]any); ok {
		call.fields = output
		run.Title, run.Summary = call.text("title"), call.text("summary")
	}
}

func listCheckRuns(server *Server, call call) answer {
	list := []any{}
	for _, run := range server.CheckRuns {
		if run.SHA == call.parameters["ref"] &&
			(call.query.Get("check_name") == "" || call.query.Get("check_name") == run.Name) && listed(&run.Unlisted) {
			list = append(list, checkRun(run))
		}
	}
	return answer{status: 200, body: map[string]any{"total_count": len(list), "check_runs": list}, list: "check_runs"}
}

func createCheckRun(server *Server, call call) answer {
	run := &CheckRun{
		ID:         server.identifier(),
		Unlisted:   server.ListLag,
		Name:       call.text("name"),
		SHA:        call.text("head_sha"),
		ExternalID: call.text("external_id"),
		Status:     "queued",
	}
	run.set(call.fields)
	server.CheckRuns = append(server.CheckRuns, run)
	return answer{status: 201, body: checkRun(run)}
}

func (server *Server) findCheckRun(id int64) *CheckRun {
	for _, run := range server.CheckRuns {
		if run.ID == id {
			return run
		}
	}
	return nil
}

func getCheckRun(server *Server, call call) answer {
	run := server.findCheckRun(call.number("check_run_id"))
	if run == nil {
		return notFound
	}
	return answer{status: 200, body: checkRun(run)}
}

func updateCheckRun(server *Server, call call) answer {
	run := server.findCheckRun(call.number("check_run_id"))
	if run == nil {
		return notFound
	}
	run.set(call.fields)
	return answer{status: 200, body: checkRun(run)}
}

func listJobs(server *Server, call call) answer {
	list := []any{}
	for _, job := range server.Jobs {
		if job.Run == call.number("run_id") {
			var conclusion, runner any
			if job.Conclusion != "" {
				conclusion = job.Conclusion
			}
			if job.Runner != "" {
				runner = job.Runner
			}
			list = append(list, map[string]any{
				"id":          job.ID,
				"run_id":      job.Run,
				"name":        job.Name,
				"status":      job.Status,
				"conclusion":  conclusion,
				"runner_name": runner,
			})
			last := list[len(list)-1].(map[string]any)
			if job.Took > 0 {
				last["started_at"], last["completed_at"] = server.Clock.Add(-job.Took).Format(time.RFC3339),
					server.Clock.Format(time.RFC3339)
			}
			if !job.Started.IsZero() {
				last["started_at"] = job.Started.Format(time.RFC3339)
			}
		}
	}
	return answer{status: 200, body: map[string]any{"total_count": len(list), "jobs": list}, list: "jobs"}
}

func cancelRun(server *Server, call call) answer {
	server.Cancelled = append(server.Cancelled, call.number("run_id"))
	return answer{status: 202, body: map[string]any{}}
}

func listArtifacts(server *Server, call call) answer {
	list := []any{}
	for _, artifact := range server.Artifacts {
		if artifact.Run == call.number("run_id") && listed(&artifact.Unlisted) {
			list = append(list, map[string]any{
				"id":            artifact.ID,
				"name":          artifact.Name,
				"size_in_bytes": len(artifact.Archive),
				"expired":       false,
			})
			if !artifact.Created.IsZero() {
				list[len(list)-1].(map[string]any)["created_at"] = artifact.Created.Format(time.RFC3339)
			}
		}
	}
	return answer{status: 200, body: map[string]any{"total_count": len(list), "artifacts": list}, list: "artifacts"}
}

func downloadArtifact(server *Server, call call) answer {
	return answer{status: 302, location: "/" + call.parameters["artifact_id"]}
}
