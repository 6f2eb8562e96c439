// Package fleet runs one comparison on several hosts that are connected by a NATS server. Every host measures the whole
// comparison with its own builds, processes and order of proofs, and [harness.Join] combines the results into one
// report.
//
// # Vocabulary
//
//   - An agent is a process on a host, with a label that is unique on the server. It carries out orders one after the
//     other and reports its progress.
//   - An order says what one agent is to measure: commits, and files by their content. All orders of a comparison form
//     a job.
//   - A coordinator places the orders of a job, follows them, and joins the results.
//   - A card is an agent's periodic announcement. Without a recent card the agent counts as gone.
//
// Orders, cards and progress reports ("harness-tellings" on the wire) are entries of buckets, and the newest entry of a
// key counts. A restarted agent finds its orders and resumes the run in its folder; a restarted coordinator follows its
// job again. A lost message never causes work to be ordered twice.
//
// # Trust
//
// An agent does not take orders from other agents or from the server. It carries out an order only if a coordinator's
// key signed it for the agent's label and the job, only before it expires, and only once. The server lets only
// coordinators write orders, and lets an agent write only its own card, progress reports and objects. The agent runs
// the code of revisions under the same isolation as a local comparison. A coordinator does not trust an agent's
// conclusions: it checks the pairs of a result and judges them again, as it does for a GitHub executor.
package fleet
