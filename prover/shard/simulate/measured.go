package simulate

// Measured are times of guests of this repository on H200s (docs/lab/programs.md), as of 0963c27. A shard's are lines
// through those of whole proofs on one device and of proofs in two shards on two: its first phase from where its
// records are there, with nothing fixed, as half a run takes no more than half. The run is recorded in eight parts:
// its rates are what the two shards leave of it, the host's run beside two devices and what these are behind it.
// Replay is what a second shard took to begin on one device after the run, at 3aa8ddc. Two shards of 67 million
// cycles stay on a device of 139 GiB. Bytes of records are what goes to a device; a core's time to verify is that of
// two shards of the guest, less the process's start, at d64ee58. The network is not measured: it is one of 25 Gbit/s.
var Measured = map[string]Times{
	"fib": {
		RunRate: 903e6, Parts: 8, AheadRate: 8171e6, Overlap: true,
		Fixed: [2]float64{0, 0.0047}, PerCycle: [2]float64{1.561e-9, 4.01e-9},
		Replay: 0.20e-9, Resident: 2, Bandwidth: 3.1e9, Latency: 200e-6, RecordBytes: 0.65, ProofBytes: 3.3e6,
		Verify: 0.06, Cores: 16, Write: 0.39e-9,
	},
	"sha256": {
		RunRate: 577e6, Parts: 8, AheadRate: 3225e6, Overlap: true,
		Fixed: [2]float64{0, 0.0092}, PerCycle: [2]float64{2.261e-9, 4.39e-9},
		Replay: 0.37e-9, Resident: 2, Bandwidth: 3.1e9, Latency: 200e-6, RecordBytes: 1.9, ProofBytes: 5.4e6,
		Verify: 0.10, Cores: 16, Write: 0.21e-9,
	},
}
