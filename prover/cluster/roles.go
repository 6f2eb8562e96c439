package cluster

import (
	"github.com/chiasmus/chiasmus/internal/bus"
	"github.com/chiasmus/chiasmus/internal/bus/roster"
)

// The kinds of a cluster's members, which are also the names of the members that every server has.
const (
	ClientRole = "client" // requests proofs, and coordinates
	WorkerRole = "worker" // does tasks, and reports results
)

// Kinds returns the member kinds of a cluster's server.
func Kinds() map[string]func(name string) roster.Role {
	return map[string]func(string) roster.Role{ClientRole: clientRole, WorkerRole: workerRole}
}

// Ordering returns the kinds whose members sign tasks.
func Ordering() []string { return []string{ClientRole} }

// Members returns one client, one worker, and the named workers.
func Members(workers ...string) []roster.Member {
	list := []roster.Member{{Name: ClientRole, Kind: ClientRole}, {Name: WorkerRole, Kind: WorkerRole}}
	for _, name := range workers {
		list = append(list, roster.Member{Name: name, Kind: WorkerRole})
	}
	return list
}

// api is the prefix of JetStream's own requests.
const api = "$JS.API."

// reads returns the subjects that are needed to read streams of a cluster, and its objects.
func reads(streams ...string) (list []string) {
	for _, stream := range streams {
		list = append(list, api+"STREAM.INFO."+stream, bus.GetSubject(stream))
	}
	return append(list, api+"DIRECT.GET."+objectsStore+"."+objectsStore+".>")
}

// clientRole lets a client send and withdraw tasks, change jobs, exclude workers, and put objects. It may not write
// results or presences, create consumers, or change streams.
func clientRole(name string) roster.Role {
	return roster.Role{
		Trusted: true,
		Publish: append(reads(tasksStream, bus.BucketStream(jobsBucket), bus.BucketStream(resultsBucket),
			bus.BucketStream(workersBucket), bus.BucketStream(exclusionsBucket), objectsStore),
			api+"STREAM.PURGE."+tasksStream, taskSubjects+">",
			bus.BucketSubjects(jobsBucket)+">", bus.BucketSubjects(exclusionsBucket)+">", bus.ObjectSubjects(objectsStore, name),
		),
		Subscribe: []string{
			bus.BucketSubjects(resultsBucket) + ">", bus.BucketSubjects(workersBucket) + ">",
			bus.BucketSubjects(exclusionsBucket) + ">",
		},
	}
}

// workerRole lets a worker read jobs and objects, ask for tasks and report on its own tasks, write its own results,
// presence and objects, and be notified of tasks.
func workerRole(name string) roster.Role {
	return roster.Role{
		Publish: append(reads(bus.BucketStream(jobsBucket), bus.BucketStream(exclusionsBucket), objectsStore),
			api+"STREAM.INFO."+tasksStream, api+"STREAM.INFO."+bus.BucketStream(resultsBucket),
			api+"STREAM.INFO."+bus.BucketStream(workersBucket), askSubjects+name+".>", answerSubjects+name+".>",
			bus.BucketSubjects(resultsBucket)+"*.*.*."+name+".>", bus.BucketSubjects(workersBucket)+name+".>",
			bus.ObjectSubjects(objectsStore, name),
		),
		Subscribe: []string{taskSubjects + "any.>", taskSubjects + "on." + name + ".>"},
	}
}
