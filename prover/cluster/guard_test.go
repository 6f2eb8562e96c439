package cluster

import (
	"testing"
	"time"
)

// A worker that lied loses its connection, and gets none until it is readmitted. Others that share its credential
// keep their connections; a credential of its own is rejected for any host name.
func TestGuard(t *testing.T) {
	a := cluster(t, "north")
	client := a.space(t, ClientRole)
	guarded := make(chan error, 1)
	said := make(chan string, 8)
	inside := a.prepared(t, quick())
	workers := func() ([]string, error) { return a.Named(WorkerRole) }
	go func() { guarded <- inside.Guard(t.Context(), a.Server, workers, func(line string) { said <- line }) }()
	hear := func(want string) {
		t.Helper()
		select {
		case line := <-said:
			if line != want {
				t.Fatalf("heard %q, want %q", line, want)
			}
		case err := <-guarded:
			t.Fatal(err)
		case <-time.After(generous):
			t.Fatalf("no error, want %q", want)
		}
	}
	comes := func(role, host string) error {
		b, err := a.dialAs(role, WorkerConnection(role, host))
		if err == nil {
			b.Close()
		}
		return err
	}
	for worker, tc := range map[string]struct {
		refused, others [][2]string
		twice           string
	}{
		"worker.liar": {[][2]string{{WorkerRole, "liar"}}, [][2]string{{WorkerRole, "honest"}, {"north", "liar"}}, ""},
		"north.liar":  {[][2]string{{"north", "liar"}, {"north", "other"}}, [][2]string{{WorkerRole, "liar"}}, "north.b"},
	} {
		must(t, client.exclude(t.Context(), worker, Exclusion{Why: "a lie", Job: "job"}))
		hear("worker " + worker + " is excluded: the server rejects its connections")
		for _, who := range tc.refused {
			refuses(t, comes(who[0], who[1]), "removed or refused")
		}
		for _, who := range tc.others {
			must(t, comes(who[0], who[1]))
		}
		if tc.twice != "" { // one of two hosts is readmitted, the credential is not
			must(t, client.exclude(t.Context(), tc.twice, Exclusion{Why: "a lie", Job: "job"}))
			hear("worker " + tc.twice + " is excluded: the server rejects its connections")
			must(t, client.Readmit(t.Context(), tc.twice))
			hear("worker " + tc.twice + " is admitted again")
			refuses(t, comes(tc.refused[0][0], tc.refused[0][1]), "removed or refused")
		}
		must(t, client.Readmit(t.Context(), worker))
		hear("worker " + worker + " is admitted again")
		for _, who := range tc.refused {
			must(t, comes(who[0], who[1]))
		}
	}
}

// A worker whose connection the server has ended for good reports the reason, rather than a connection error.
func TestEndedConnection(t *testing.T) {
	a := cluster(t)
	w := a.worker(t, WorkerRole, "one")
	ready := make(chan string, 8)
	w.options.Log = func(line string) { ready <- line }
	ended := running(t, w)
	<-ready
	w.space.bus.Close()
	refuses(t, <-ended, "worker worker.one: the server no longer accepts its credential: was it excluded")
}
