package cluster

import (
	"github.com/chiasmus/chiasmus/internal/bus"
	"github.com/chiasmus/chiasmus/internal/bus/roster"
)

// The kinds of a cluster's members, which name the members that every server has.
const (
	ClientRole = "client" // asks for proofs, and coordinates
	WorkerRole = "worker" // takes tasks, and tells results
)

// Kinds are those of a cluster's server.
func Kinds() map[string]func(name string) roster.Role {
	return map[string]func(string) roster.Role{ClientRole: clientRole, WorkerRole: workerRole}
}

// Ordering are the kinds whose members sign tasks.
func Ordering() []string { return []string{ClientRole} }

// Members are those of a server with these workers: one client, one worker, and the named ones.
func Members(workers ...string) []roster.Member {
	list := []roster.Member{{Name: ClientRole, Kind: ClientRole}, {Name: WorkerRole, Kind: WorkerRole}}
	for _, name := range workers {
		list = append(list, roster.Member{Name: name, Kind: WorkerRole})
	}
	return list
}

// api begins the subjects of JetStream's own requests.
const api = "$JS.API."

// reads are the subjects to read the streams of a cluster.
func reads(streams ...string) (list []string) {
	for _, stream := range streams {
		list = append(list, api+"STREAM.INFO."+stream, bus.GetSubject(stream))
	}
	return append(list, api+"DIRECT.GET."+objectsStore+"."+objectsStore+".>")
}

// clientRole lets a client send tasks and take them back, change jobs, shut workers out, and put objects there. It
// writes no results and no presence, makes no consumers, and changes no stream.
func clientRole(name string) roster.Role {
	return roster.Role{
		Trusted: true,
		Publish: append(reads(tasksStream, bus.BucketStream(jobsBucket), bus.BucketStream(resultsBucket),
			bus.BucketStream(workersBucket), bus.BucketStream(shutOutBucket), objectsStore),
			api+"STREAM.PURGE."+tasksStream, taskSubjects+">",
			bus.BucketSubjects(jobsBucket)+">", bus.BucketSubjects(shutOutBucket)+">", bus.ObjectSubjects(objectsStore, name),
		),
		Subscribe: []string{
			bus.BucketSubjects(resultsBucket) + ">", bus.BucketSubjects(workersBucket) + ">",
			bus.BucketSubjects(shutOutBucket) + ">",
		},
	}
}

// workerRole lets a worker read jobs and objects, ask for tasks and answer for those that it was given, write its own
// results, presence and objects, and hear that there are tasks.
func workerRole(name string) roster.Role {
	return roster.Role{
		Publish: append(reads(bus.BucketStream(jobsBucket), bus.BucketStream(shutOutBucket), objectsStore),
			api+"STREAM.INFO."+tasksStream, api+"STREAM.INFO."+bus.BucketStream(resultsBucket),
			api+"STREAM.INFO."+bus.BucketStream(workersBucket), askSubjects+name+".>", answerSubjects+name+".>",
			bus.BucketSubjects(resultsBucket)+"*.*.*."+name+".>", bus.BucketSubjects(workersBucket)+name+".>",
			bus.ObjectSubjects(objectsStore, name),
		),
		Subscribe: []string{taskSubjects + "any.>", taskSubjects + "on." + name + ".>"},
	}
}
