package cli

// IsolateByDefault changes what counts where --isolate is not given.
func IsolateByDefault(word string) { isolateDefault = word }
