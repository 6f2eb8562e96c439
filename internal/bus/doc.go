// Package bus is how processes of this project on several hosts reach each other: through one NATS server with
// JetStream. It has the client: connections that come back by themselves, buckets of entries by key, a store of objects
// by content, and signed orders. Package server, below it, has the server. Neither knows what is said over it.
//
// # Vocabulary
//
//   - A credential is a file of one holder: its name, and the seed of an NKey that signs the server's challenge. The
//     server knows the public key alone. Answers to the holder's requests arrive at an inbox that nobody else may
//     subscribe to.
//   - An order is bytes that the holder of another key signed, for one purpose and until a time: see [Bus.Seal]. Who
//     obeys has the public key in its credential, and believes neither the server nor who sent the bytes.
//   - A bucket is a stream of which the newest entry of each key counts. What is read is checked against what was asked
//     for: an entry of another stream or key is dropped and reported.
//   - An object is bytes under their SHA-256, in chunks under the name of who stored it. Who gets one has checked the
//     digest: neither the server nor who put it there needs to be believed.
//
// No client makes consumers: the server would deliver wherever their maker says. Buckets and objects are read message
// by message; subscriptions only wake a reader.
package bus
