package cluster

import (
	"testing"

	"github.com/chiasmus/chiasmus/internal/bus/bustest"
)

// streamsOf returns the streams of a server with their subjects.
func (a *arena) streamsOf(t *testing.T) map[string][]string {
	t.Helper()
	inside, err := a.Inside()
	must(t, err)
	defer inside.Close()
	streams := map[string][]string{}
	list := inside.JetStream.ListStreams(t.Context())
	for info := range list.Info() {
		streams[info.Config.Name] = info.Config.Subjects
	}
	must(t, list.Err())
	return streams
}

// Plain NATS clients with each kind of credential have exactly the rights that docs/guide/cluster.md states. A new
// stream, or a subject of this package or of JetStream that is in no row, fails the test.
func TestRights(t *testing.T) {
	a := cluster(t, "north")
	rights, err := bustest.ReadRights("../../docs/guide/cluster.md")
	must(t, err)
	own, err := bustest.Literals(".", "chiasmus")
	must(t, err)
	faults, err := rights.Check(a.URL(), a.streamsOf(t), own, map[string]bustest.Holder{
		ClientRole: {Credential: a.Credential(ClientRole), Other: a.Credential("north")},
		WorkerRole: {Credential: a.Credential("north"), Other: a.Credential(WorkerRole)},
	})
	must(t, err)
	for _, fault := range faults {
		t.Error(fault)
	}
}
