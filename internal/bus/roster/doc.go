// Package roster holds the members of a server of package server: who may connect, in which role, and the folder of
// their credentials. It is separate so that programs which create and list credentials do not link the server.
package roster
