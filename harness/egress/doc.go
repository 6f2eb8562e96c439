// Package egress gives a sandbox access to the public internet, to fetch dependencies and for nothing else.
//
// A program that fetches runs in an empty network namespace. Its only way out is a Unix socket. Outside, a Gateway
// listens on the socket: a proxy for HTTP and HTTPS that checks the address of every connection after its name is
// resolved, and refuses addresses outside the public internet. It needs no privilege that the sandbox does not need
// anyway: no firewall, route, address or root.
//
// # Vocabulary
//
// The Gateway is the proxy outside. The bridge is a second process of this program, inside: it listens on the sandbox's
// loopback interface, forwards connections to the gateway's socket, and runs the fetching program with the environment
// variables that name a proxy. The guard decides which addresses are allowed.
//
// # What can be reached
//
// The guard refuses loopback, link-local (including the metadata services of clouds), private and shared ranges,
// multicast, all other special-purpose ranges, the addresses of this host, and the networks that the host is attached
// to. It checks the address that the connection is made to, so a name that resolves differently the second time gains
// nothing (DNS rebinding). Programs that do not use an HTTP proxy (ssh, git's own protocol, a resolver) have no
// network.
package egress
