package simulate

// Measured are times of guests of this repository on H200s (docs/lab/programs.md), as of 0963c27. The times of a
// shard's phases are lines through two measurements: whole proofs on one device, and proofs in two shards on two
// devices. The first phase counts from the arrival of the shard's records, and has no fixed part, because half a run
// takes at most half the time. The run is recorded in eight parts. Its rates are fitted to the proofs in two shards: to
// the host's run concurrently with two devices, and to the devices' delay after it. Replay is the time before a second
// shard began on one device after the run, at 3aa8ddc. Two shards of 67 million cycles fit a device of 139 GiB.
// RecordBytes are the bytes that a device receives. Verify is measured for two shards of the guest, without the
// process's start, at d64ee58. The network is not measured: it is assumed to have 25 Gbit/s.
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
