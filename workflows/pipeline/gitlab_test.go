package pipeline

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// A fakeGitLab has one merge request, !5 of project group/demo, and keeps its notes. It follows GitLab's documentation
// of notes, users and pagination: X-Next-Page, PRIVATE-TOKEN, 201 for a created note, and an error's text in "message".
type fakeGitLab struct {
	sync.Mutex
	t       *testing.T
	notes   []note
	fails   []int // the next answers
	lost    bool  // the next note is created, and the response is lost
	calls   []string
	waiting int
}

const botAccount = 42

func (fake *fakeGitLab) ServeHTTP(writer http.ResponseWriter, request *http.Request) {
	fake.Lock()
	defer fake.Unlock()
	fake.calls = append(fake.calls, request.Method)
	say := func(status int, value any) {
		writer.Header().Set("Content-Type", "application/json")
		writer.WriteHeader(status)
		json.NewEncoder(writer).Encode(value)
	}
	if request.Header.Get("PRIVATE-TOKEN") != "secret" {
		say(http.StatusUnauthorized, map[string]string{"message": "401 Unauthorized"})
		return
	}
	if len(fake.fails) > 0 {
		status := fake.fails[0]
		fake.fails = fake.fails[1:]
		say(status, map[string]string{"message": "a bad moment"})
		return
	}
	const folder = "/api/v4/projects/group%2Fdemo/merge_requests/5/notes"
	var sent struct {
		Body string `json:"body"`
	}
	if request.Method != http.MethodGet {
		if err := json.NewDecoder(request.Body).Decode(&sent); err != nil || sent.Body == "" {
			say(http.StatusBadRequest, map[string]string{"error": "body is missing"})
			return
		}
	}
	path := request.URL.EscapedPath()
	switch {
	case request.Method == http.MethodGet && path == "/api/v4/user":
		say(200, map[string]any{"id": botAccount, "username": "project_1_bot"})
	case request.Method == http.MethodGet && path == folder:
		page, _ := strconv.Atoi(request.URL.Query().Get("page"))
		const size = 2 // GitLab may return fewer notes than requested
		start, end := min(len(fake.notes), (page-1)*size), min(len(fake.notes), page*size)
		if end < len(fake.notes) {
			writer.Header().Set("X-Next-Page", strconv.Itoa(page+1))
		}
		say(200, fake.notes[start:end])
	case request.Method == http.MethodPost && path == folder:
		fake.add(botAccount, sent.Body)
		if fake.lost {
			fake.lost = false
			say(502, map[string]string{"message": "lost"})
			return
		}
		say(201, fake.notes[len(fake.notes)-1])
	case request.Method == http.MethodPut && strings.HasPrefix(path, folder+"/"):
		for i := range fake.notes {
			if fmt.Sprint(fake.notes[i].ID) == strings.TrimPrefix(path, folder+"/") {
				if fake.notes[i].Author.ID != botAccount {
					say(http.StatusForbidden, map[string]string{"message": "403 Forbidden"})
					return
				}
				fake.notes[i].Body = sent.Body
				say(200, fake.notes[i])
				return
			}
		}
		say(http.StatusNotFound, map[string]string{"message": "404 Not Found"})
	default:
		say(http.StatusNotFound, map[string]string{"message": "404 Not Found"})
	}
}

func (fake *fakeGitLab) add(author int64, body string) {
	added := note{ID: int64(100 + len(fake.notes)), Body: body}
	added.Author.ID = author
	fake.notes = append(fake.notes, added)
}

func newGitLab(t *testing.T) (*fakeGitLab, Notes) {
	t.Helper()
	fake := &fakeGitLab{t: t}
	server := httptest.NewServer(fake)
	t.Cleanup(server.Close)
	return fake, Notes{API: server.URL + "/api/v4", Project: "group/demo", MergeRequest: 5, Token: "secret",
		Sleep: func(time.Duration) { fake.waiting++ }}
}

// There is one note, edited in place, whatever others have written and whichever responses are lost.
func TestNotes(t *testing.T) {
	fake, notes := newGitLab(t)
	marker := Marker("bench")
	for range 3 {
		fake.add(7, marker+"\nsomebody else's, with our marker")
	}
	fake.add(botAccount, "the bot's, of something else\n"+marker)
	post := func(text string) {
		t.Helper()
		if err := notes.Post(context.Background(), marker, marker+"\n"+text); err != nil {
			t.Fatal(err)
		}
	}
	fake.lost = true
	post("first")
	fake.fails = []int{503, 429}
	post("second")
	if len(fake.notes) != 5 || fake.notes[4].Body != marker+"\nsecond" || fake.waiting == 0 {
		t.Errorf("%d notes, %d waits, the last: %q", len(fake.notes), fake.waiting, fake.notes[len(fake.notes)-1].Body)
	}
	for i, note := range fake.notes[:4] {
		if strings.Contains(note.Body, "first") || strings.Contains(note.Body, "second") {
			t.Errorf("note %d of somebody's was edited: %q", i, note.Body)
		}
	}
	if other := Marker("another job"); notes.Post(context.Background(), other, other) != nil || len(fake.notes) != 6 {
		t.Errorf("another job has %d notes", len(fake.notes))
	}
}

func TestNotesFail(t *testing.T) {
	marker := Marker("bench")
	for name, test := range map[string]struct {
		change func(fake *fakeGitLab, notes *Notes)
		want   string
		calls  int
	}{
		"a wrong token": {func(_ *fakeGitLab, notes *Notes) { notes.Token = "other" }, "scope api", 1},
		"no such merge request": {func(_ *fakeGitLab, notes *Notes) { notes.MergeRequest = 6 },
			"does the token's account see", 2},
		"a server that stays down": {func(fake *fakeGitLab, _ *Notes) {
			fake.fails = []int{500, 500, 500, 500, 500}
		}, "GitLab answers 500", noteAttempts},
	} {
		fake, notes := newGitLab(t)
		test.change(fake, &notes)
		err := notes.Post(context.Background(), marker, marker)
		if err == nil || !strings.Contains(err.Error(), test.want) || len(fake.calls) != test.calls ||
			strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v after %d calls, want %q after %d", name, err, len(fake.calls), test.want, test.calls)
		}
	}
	_, notes := newGitLab(t)
	if err := notes.Post(context.Background(), marker, "text"); err == nil {
		t.Error("a text without its marker is posted: the next run would not find it")
	}
}
