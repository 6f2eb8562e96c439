// Package egress is the one way out of a sandbox, for fetching dependencies and for nothing else.
//
// A program that fetches runs in a network of its own in which there is nothing but itself. The one thing that leads
// out is a socket in a file, and behind it, outside, stands a Gateway: a proxy for http and https that looks at where
// every connection goes once its name is resolved, and refuses what is not the public internet. That needs no right
// that the sandbox does not need anyway: no firewall, no route, no address, no root.
//
// # Vocabulary
//
// The Gateway is the proxy outside. The bridge is this program once more, inside: it listens on the loopback of the
// sandbox, hands what comes there to the gateway's socket, and runs the program with the variables that name a proxy.
// The guard decides on an address.
//
// # What can be reached, and what not
//
// Refused are loopback, link-local (the metadata services of clouds among them), private and shared ranges, multicast,
// everything else that is set aside for special purposes, the addresses of this host, and the networks that it is
// attached to. It is the address that counts, when the connection is made: a name that resolves to another one the
// second time gains nothing. What speaks no http proxy (ssh, git's own protocol, a resolver) has no network.
package egress
