// Package server embeds a NATS server with JetStream: one process, and a folder for its data. On its first start it
// creates the credentials of its members, a file each in the folder. Members can be added and removed while it is
// running. Only members can connect.
//
// A member that is not trusted is in a NATS account of its own, into which the subjects of its role are imported:
//
//	member's account                      account of the streams
//	publish SUBJECT, reply INBOX    -->   SUBJECT, reply _R_.x    a stream, or JetStream itself
//	INBOX                           <--   _R_.x                   the answer
//
// Permissions on subjects alone would not confine it. The server checks them for the subject of a request, and
// publishes the answer under whatever reply subject the request names.
package server
