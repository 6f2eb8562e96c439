// Package softgpu is a CUDA device in software, for machines and CI without a GPU.
//
// It is a shared library, written in C++ (folder source), that answers exactly the functions listed in
// cuda/driver and cuda/nvrtc. It is compiled at run time by the system's C++ compiler and cached. Its NVRTC compiles
// the same kernel sources as NVIDIA's does, with that compiler; its driver runs each block's threads as coroutines with
// stacks of their own. Everything above the driver is the same code that runs on a GPU.
//
// It is its own architecture ("softgpu"), has no speed to speak of, and is chosen only explicitly. Launches and copies
// are queued and run late, in an order drawn from a seed that streams and events allow; so are blocks, and threads
// between barriers. A result that depends on any order differs between seeds.
//
// Device 1 is the checked device ("softgpu_checked"): it looks at every load and store of a kernel and ends the launch
// with a finding at the first that lies outside a live buffer, reads what was never written, or conflicts with another
// thread's access with no barrier between, with another block's, or with another stream's work that no event orders. It
// closes pinned memory to the host while a queued copy uses it. It is 25 to 40 times slower.
package softgpu
