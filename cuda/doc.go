// Package cuda drives NVIDIA GPUs from Go without cgo, through the driver library (libcuda).
//
//	drv, err := cuda.Open(cuda.Options{})         // the installed driver, or why there is none
//	devices, err := drv.Devices()
//	ctx, err := devices[0].NewContext()
//	err = ctx.Bind(); defer ctx.Unbind()          // this goroutine now owns its thread
//	stream, err := ctx.NewStream()
//	arena, err := cuda.NewArena(ctx, stream, cuda.ArenaOptions{Budget: 8 << 30})
//	scope := arena.Scope("commit main"); defer scope.End()
//	buffer, err := scope.Take("trace", 1<<20)
//	module, err := ctx.LoadModule("fill", cubin)
//	fill, err := module.Function("chiasmus_fill")
//	err = fill.Launch(stream, cuda.Linear(n, 256), cuda.Address(buffer.All()), cuda.U64(n))
//	err = stream.Synchronize()
//
// Vocabulary. A [Context] is one device's state for one user; a [Stream] is a queue of work in it; an [Event] marks a
// place in a stream. Device memory is taken from an [Arena] as a [Buffer]; a [Span] is a checked part of one. [Staging]
// is pinned host memory, the only host memory that asynchronous copies touch.
//
// Rules the package keeps:
//
//   - Every call takes its context or stream explicitly. There is no default stream and no global context. The
//     driver's notion of a thread's current context is set by [Context.Bind], which locks the goroutine to its thread;
//     the goroutine then calls the driver itself. A context is used by one goroutine at a time.
//   - Nothing panics. Every failure is an [*Error] with the call, CUDA's name and text of it. After a sticky failure
//     the context is lost: every later call returns that failure and nothing is freed through the driver.
//   - No finalizer frees a device resource: what is made is closed by who made it.
//   - Sizes are uint64 everywhere, and every launch and copy is checked against its limits before it is issued.
//
// Only this folder, and its subfolders, use unsafe.
package cuda
