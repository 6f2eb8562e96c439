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
// A [Context] is a device context of one goroutine. A [Stream] is a queue of work in a context; an [Event] marks a
// position in a stream. An [Arena] allocates device memory as [Buffer]s; a [Span] is a bounds-checked part of a buffer.
// [Staging] is pinned host memory, the only host memory for asynchronous copies.
//
// Invariants:
//
//   - Every call takes its context or stream explicitly. There is no default stream and no global context.
//     [Context.Bind] makes a context current and locks the goroutine to its thread; the goroutine then calls the driver
//     directly. A context is used by one goroutine at a time.
//   - Nothing panics. Every failure is an [*Error] with the call and CUDA's name and description of the error. After a
//     sticky failure the context is lost: every later call returns that failure, and no resource is freed.
//   - No finalizer frees a device resource: whoever creates it closes it.
//   - Sizes are uint64. Every launch and copy is checked against its limits before it is issued.
package cuda
