// Package fleet runs one comparison on several hosts through a NATS server: every host measures all of it, with builds,
// processes and an order of its own, and [harness.Join] makes one report of what they found.
//
// # Vocabulary
//
//   - An agent is a process on a host, under a label that no other agent of the server has. It takes orders, one after
//     the other, and tells how far it is.
//   - An order is what one agent is to measure: commits, and files by their content. All orders of one comparison are a
//     job.
//   - A coordinator places the orders of a job, follows them, and joins the results.
//   - A card is what an agent says of itself, again and again; without it the agent counts as gone.
//
// Orders, cards and tellings are entries of buckets, of which the newest counts: an agent that dies finds its orders
// again, and goes on with the run that it has in its folder; a coordinator that dies follows its job again. Nothing is
// asked twice because a message was lost.
//
// # What it never does
//
// An agent never takes an order from another agent, nor from the server. It carries out what a coordinator's key
// signed for its label and that job, before it expires, and once. The server lets coordinators alone write orders, and
// an agent write its own card, tellings and objects alone. The agent runs the code of revisions, as a comparison at a
// desk does, and under the same isolation. A coordinator believes of a result what its pairs give: it is checked and
// judged again as one of GitHub's executors is.
package fleet
