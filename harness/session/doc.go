// Package session drives the prover of one revision on one workload.
//
// A [Session] is a long-lived child that speaks chiasmus.session/1: one JSON object per line, requests on its standard
// input and replies on its standard output. Standard error is its log.
//
//	<- {"schema":"chiasmus.session/1","event":"ready","statement":"...","security_bits":128}
//	-> {"op":"prove","id":7,"seed":12345,"proof":"/path/proof.bin"}
//	<- {"event":"proof","id":7,"ok":true,"metrics":{"prove_seconds":0.412},"counters":{"fallbacks":0},
//	    "exact_statement":"..."}
//	-> {"op":"exit"}
//
// A [Process] starts a new process for each proof and times it from outside. The process may write a metrics file with
// the metrics and counters of a proof event.
//
// Replies are read strictly. The Session fails with an [Error], which includes the end of the log, if a reply does not
// parse, answers another request, is unsolicited, says ok:false, lacks its metrics, contradicts the proof file, or
// misses the deadline. The child and everything it started are then killed. The child runs in its own process group, so
// the Ctrl-C of a terminal does not reach it, and on Linux it dies with the harness. A daemon that it started would
// take time from the next proof, possibly of the other revision: it is killed after the child has ended, and reported.
// The child inherits no descriptors beyond standard input, output and error, and only the head and tail of its log are
// kept.
//
// The consumption of a session that waits while another one proves is measured: its [Account] covers all its processes,
// by a cgroup if one can be made. [Session.Pause] stops them until the next request.
//
// The package does not judge a proof: it neither verifies it nor compares it with another.
package session
