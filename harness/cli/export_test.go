package cli

// IsolateByDefault changes the default of --isolate.
func IsolateByDefault(word string) { isolateDefault = word }

// Besides is where the harness finds a program that is installed with it.
var Besides = besides
