// Package roster keeps who may connect to a server of package server, and as what: members, their roles, and the folder
// of their credentials. Programs that make and list credentials need it, and the server with its library not.
package roster
