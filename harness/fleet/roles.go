package fleet

import (
	"github.com/chiasmus/chiasmus/internal/bus"
	"github.com/chiasmus/chiasmus/internal/bus/roster"
)

// The kinds of a fleet's members. CoordinatorRole also names the single coordinator of each server.
const (
	CoordinatorRole = "coordinator" // orders, and gathers results
	AgentRole       = "agent"       // measures; its name is its label
)

// Kinds returns the member kinds of a fleet's server.
func Kinds() map[string]func(name string) roster.Role {
	return map[string]func(string) roster.Role{CoordinatorRole: coordinatorRole, AgentRole: agentRole}
}

// Ordering returns the kinds whose members sign orders.
func Ordering() []string { return []string{CoordinatorRole} }

// Members returns one coordinator and an agent for each label.
func Members(labels ...string) []roster.Member {
	list := []roster.Member{{Name: CoordinatorRole, Kind: CoordinatorRole}}
	for _, label := range labels {
		list = append(list, roster.Member{Name: label, Kind: AgentRole})
	}
	return list
}

// reads returns the subjects needed to read the streams of a fleet.
func reads() (list []string) {
	const api = "$JS.API."
	for _, stream := range []string{
		bus.BucketStream(ordersBucket), bus.BucketStream(progressBucket), bus.BucketStream(cardsBucket), objectsStore,
	} {
		list = append(list, api+"STREAM.INFO."+stream, bus.GetSubject(stream))
	}
	return append(list, api+"DIRECT.GET."+objectsStore+"."+objectsStore+".>")
}

// coordinatorRole lets a coordinator read the whole fleet, write orders, put objects, and report the end of an absent
// agent's order. It may not create consumers or change streams.
func coordinatorRole(name string) roster.Role {
	return roster.Role{
		Trusted: true,
		Publish: append(reads(), bus.BucketSubjects(ordersBucket)+">", bus.BucketSubjects(progressBucket)+">",
			bus.ObjectSubjects(objectsStore, name)),
		Subscribe: []string{bus.BucketSubjects(progressBucket) + ">"},
	}
}

// agentRole lets an agent read the whole fleet, put objects, write its own card and progress reports, and receive its
// orders.
func agentRole(label string) roster.Role {
	return roster.Role{
		Publish: append(reads(), bus.BucketSubjects(progressBucket)+label+".>", bus.BucketSubjects(cardsBucket)+label,
			bus.ObjectSubjects(objectsStore, label)),
		Subscribe: []string{bus.BucketSubjects(ordersBucket) + label + ".>"},
	}
}
