package cli

// IsolateByDefault changes what counts where --isolate is not given.
func IsolateByDefault(word string) { isolateDefault = word }

// Besides is where harness finds a program that is installed with it.
var Besides = besides
