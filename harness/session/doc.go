// Package session drives the prover of one revision on one workload.
//
// A [Session] is a long-lived child that speaks chiasmus.session/1: one JSON object a line, requests on its standard
// input and replies on its standard output; standard error is its log.
//
//	<- {"schema":"chiasmus.session/1","event":"ready","statement":"...","security_bits":128}
//	-> {"op":"prove","id":7,"seed":12345,"proof":"/path/proof.bin"}
//	<- {"event":"proof","id":7,"ok":true,"metrics":{"prove_seconds":0.412},"counters":{"fallbacks":0},
//	    "exact_statement":"..."}
//	-> {"op":"exit"}
//
// A [Process] makes each proof in a process of its own, timed from outside; it may write a metrics file with the
// metrics and counters of a proof event.
//
// Replies are read strictly. One that does not parse, answers another request, comes when nothing was asked, says
// ok:false, lacks its metrics or contradicts the proof file, or none within the deadline, is an [Error] that carries
// the end of the log. The child and everything it started are then killed: it runs in a process group of its own, which
// also keeps the Ctrl-C of a terminal from reaching it, and on Linux it dies with the harness. A daemon that it started
// would take time from the next proof, perhaps of the other revision: it is killed when the child has ended, and told.
// The child inherits no descriptor beyond standard input, output and error, and of its log only head and tail are kept.
//
// A session that waits while another one proves is counted: its [Account] is what all its processes took, by a cgroup
// of its own where one can be made. [Session.Pause] stops them until the next request.
//
// The package decides nothing about the proof: it neither verifies it nor compares it with another.
package session
