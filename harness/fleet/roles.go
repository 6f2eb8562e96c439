package fleet

import (
	"github.com/chiasmus/chiasmus/internal/bus"
	"github.com/chiasmus/chiasmus/internal/bus/roster"
)

// The kinds of a fleet's members. CoordinatorRole names the coordinator that every server has, too.
const (
	CoordinatorRole = "coordinator" // orders, and gathers results
	AgentRole       = "agent"       // measures; its name is its label
)

// Kinds are those of a fleet's server.
func Kinds() map[string]func(name string) roster.Role {
	return map[string]func(string) roster.Role{CoordinatorRole: coordinatorRole, AgentRole: agentRole}
}

// Ordering are the kinds whose members sign orders.
func Ordering() []string { return []string{CoordinatorRole} }

// Members are those of a server with these agents, and one coordinator.
func Members(labels ...string) []roster.Member {
	list := []roster.Member{{Name: CoordinatorRole, Kind: CoordinatorRole}}
	for _, label := range labels {
		list = append(list, roster.Member{Name: label, Kind: AgentRole})
	}
	return list
}

// reads are the subjects to read the streams of a fleet.
func reads() (list []string) {
	const api = "$JS.API."
	for _, stream := range []string{
		bus.BucketStream(ordersBucket), bus.BucketStream(tellingsBucket), bus.BucketStream(cardsBucket), objectsStore,
	} {
		list = append(list, api+"STREAM.INFO."+stream, bus.GetSubject(stream))
	}
	return append(list, api+"DIRECT.GET."+objectsStore+"."+objectsStore+".>")
}

// coordinatorRole lets a coordinator read all that a fleet has, write orders, say of an agent that is away that its
// order ended, and put objects there. It makes no consumers, and changes no stream.
func coordinatorRole(name string) roster.Role {
	return roster.Role{
		Trusted: true,
		Publish: append(reads(), bus.BucketSubjects(ordersBucket)+">", bus.BucketSubjects(tellingsBucket)+">",
			bus.ObjectSubjects(objectsStore, name)),
		Subscribe: []string{bus.BucketSubjects(tellingsBucket) + ">"},
	}
}

// agentRole lets an agent read all that a fleet has, put objects there, write its own card and tellings, and hear that
// there are orders for it.
func agentRole(label string) roster.Role {
	return roster.Role{
		Publish: append(reads(), bus.BucketSubjects(tellingsBucket)+label+".>", bus.BucketSubjects(cardsBucket)+label,
			bus.ObjectSubjects(objectsStore, label)),
		Subscribe: []string{bus.BucketSubjects(ordersBucket) + label + ".>"},
	}
}
