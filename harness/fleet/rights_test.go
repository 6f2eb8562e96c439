package fleet

import (
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/internal/bus/bustest"
)

// The rights of each kind of credential on each subject equal the table of docs/guide/hosts.md, as tested by clients
// that speak plain NATS. A new stream, subject of this package or subject of JetStream that is in no row fails the
// test.
func TestRights(t *testing.T) {
	s := arena(t)
	rights, err := bustest.ReadRights("../../docs/guide/hosts.md")
	if err != nil {
		t.Fatal(err)
	}
	own, err := bustest.Literals(".", "harness-")
	if err != nil {
		t.Fatal(err)
	}
	own = slices.DeleteFunc(own, func(literal string) bool { return literal == ServerProgram }) // no subject
	inside, err := s.Inside()
	if err != nil {
		t.Fatal(err)
	}
	defer inside.Close()
	streams := map[string][]string{}
	list := inside.JetStream.ListStreams(t.Context())
	for info := range list.Info() {
		streams[info.Config.Name] = info.Config.Subjects
	}
	faults, err := rights.Check(s.URL(), streams, own, map[string]bustest.Holder{
		CoordinatorRole: {Credential: s.Credential(CoordinatorRole), Other: s.Credential("a")},
		AgentRole:       {Credential: s.Credential("a"), Other: s.Credential("b")},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range faults {
		t.Error(fault)
	}
}
