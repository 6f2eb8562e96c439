// Package group starts children so that nothing of them is left when they are done, and nothing of the harness is theirs.
//
// A child leads a process group of its own: everything in the group can be ended with it, and the Ctrl-C of a terminal
// reaches the harness alone. It inherits no descriptor but 0, 1 and 2. It carries a mark, a variable in its environment
// that says which run it belongs to and which child it is: what it starts inherits the mark whatever its group, session
// and parent are. A program that outlives its child is a stray ([End]); one that outlives the harness, because that
// was killed, is found by the mark of its run ([Marked]). A program that wipes its environment hides from both.
package group
