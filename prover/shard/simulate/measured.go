package simulate

// Measured are times of guests of this repository on H200s (docs/performance.md), with protocol 2 as of e3a44a5, where
// shards begin beside a run whose cuts are known. A shard's are those of whole proofs of 1 to 33 million cycles without
// the run; the first phase's share is that of the stages trace, count and commit_main. RunRate is what two devices left
// of it: the host's run, and what a device replays of the run before its shard. Two shards of 67 million cycles stay on
// a device of 139 GiB. Bytes of records are what goes to a device; a core's time to verify is that of a process. The
// network is not measured: it is one of 25 Gbit/s.
var Measured = map[string]Times{
	"fib": {
		RunRate: 1675e6, Overlap: true, Fixed: [2]float64{0.0030, 0.0081}, PerCycle: [2]float64{1.87e-9, 4.32e-9},
		Resident: 2, Bandwidth: 3.1e9, Latency: 200e-6, RecordBytes: 0.65, ProofBytes: 2.6e6,
		Verify: 0.14, Cores: 16, Write: 0.5e-9,
	},
	"sha256": {
		RunRate: 733e6, Overlap: true, Fixed: [2]float64{0.0045, 0.0133}, PerCycle: [2]float64{2.84e-9, 4.69e-9},
		Resident: 2, Bandwidth: 3.1e9, Latency: 200e-6, RecordBytes: 1.9, ProofBytes: 5.4e6,
		Verify: 0.14, Cores: 16, Write: 0.5e-9,
	},
}
