// Package bus connects processes of this project on several hosts, through one NATS server with JetStream. It has the
// client: connections that reconnect by themselves, buckets of entries by key, a store of objects by content, and
// signed orders. The server is in package server. Neither package interprets the messages.
//
// # Vocabulary
//
//   - A credential is the file of one holder: its name, and the seed of an NKey that signs the server's challenge. The
//     server knows only the public key. Answers to the holder's requests arrive at an inbox to which no other client
//     may subscribe.
//   - An order is a message that the holder of another key signed, for one purpose and until a time: see [Bus.Seal].
//     The receiver has the public key in its credential, and trusts neither the server nor the sender.
//   - A bucket is a stream in which the newest entry of each key counts. A reader checks each entry against its
//     request: an entry of another stream or key is dropped and reported.
//   - An object is bytes under their SHA-256, stored in chunks under the name of its owner. A reader checks the digest,
//     so it need not trust the server or the owner.
//
// Clients create no consumers, because the server would deliver to any subject that a consumer's creator names. Buckets
// and objects are read message by message; subscriptions only wake a reader.
package bus
