package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
)

// A runner is requested once, with its labels and its group, and an answer without a registration is an error.
func TestRegisterRunner(t *testing.T) {
	answer, calls := `{"runner":{"id":1},"encoded_jit_config":"c2VzYW1l"}`, 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls++
		var asked struct {
			Name   string   `json:"name"`
			Group  int64    `json:"runner_group_id"`
			Labels []string `json:"labels"`
			Work   string   `json:"work_folder"`
		}
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || r.Method != http.MethodPost ||
			r.URL.Path != "/repos/a/b/actions/runners/generate-jitconfig" {
			t.Errorf("%s %s: %v", r.Method, r.URL, err)
		}
		if asked.Name != "job-1" || asked.Group != 3 || fmt.Sprint(asked.Labels) != "[self-hosted gpu]" ||
			asked.Work != "_work" {
			t.Errorf("asked %+v", asked)
		}
		w.WriteHeader(http.StatusCreated)
		fmt.Fprint(w, answer)
	}))
	defer server.Close()
	client, err := New(server.URL, "a/b", "token", Retry{})
	if err != nil {
		t.Fatal(err)
	}
	ask := func() (string, error) {
		return client.RegisterRunner(context.Background(), "job-1", 3, []string{"self-hosted", "gpu"})
	}
	if got, err := ask(); err != nil || got != "c2VzYW1l" || calls != 1 {
		t.Errorf("%q %v after %d calls", got, err, calls)
	}
	answer = `{}`
	if _, err := ask(); err == nil {
		t.Error("an answer without a registration passes")
	}
}
