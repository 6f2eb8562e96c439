// Package server embeds a NATS server with JetStream: one process, a folder for all that it keeps. On its first start
// it makes a credential for every role, a file each in the folder; whoever has such a file has the role, and nobody
// else is let in.
package server
