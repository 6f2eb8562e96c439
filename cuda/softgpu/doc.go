// Package softgpu is a CUDA device in software, for machines and CI without a GPU.
//
// It is a shared library, written in C++ (folder source), that implements exactly the functions listed in cuda/driver
// and cuda/nvrtc. The system's C++ compiler compiles it at run time, and the result is cached. Its NVRTC compiles the
// kernel sources for the host with the same compiler; its driver runs each block's threads as coroutines with their own
// stacks. Everything above the driver is the code that also runs on a GPU.
//
// It has its own architecture ("softgpu"), is slow, and must be chosen explicitly. Launches and copies are queued and
// run late, in a pseudo-random order that streams and events permit; so are blocks, and threads between barriers. A
// result that depends on an unspecified order therefore differs between seeds.
//
// Device 1 is the checked device ("softgpu_checked"). It checks every load and store of a kernel, and stops the launch
// with a finding at the first access that is outside a live buffer, reads uninitialized memory, or races: with another
// thread without a barrier, with another block, or with another stream's work that no event orders. It makes pinned
// memory inaccessible to the host while a queued copy uses it. It is 25 to 40 times slower.
package softgpu
