// Package bus is how processes of this project on several hosts reach each other: through one NATS server with
// JetStream. It has the client: connections that come back by themselves, and a store of objects by content.
// Package server, below it, has the server. Neither knows what is said over it.
//
// # Vocabulary
//
//   - A credential is a file with the seed of an NKey: its owner signs the server's challenge, and the server knows the
//     public key alone. A role is what owners of one credential may do.
//   - An object is bytes under their SHA-256. Who gets one has checked that: neither the server nor who put it there
//     needs to be believed.
//
// Subjects, streams, buckets and queues are their users', and used as package jetstream has them.
package bus
