// Package command is the GPU backend at the command line: its flags, and the commands devices and kernels.
//
//	cli.Main(args, stdin, stdout, stderr, []cli.Backend{command.Backend(environment), ...})
//
// # Vocabulary
//
//   - The [Environment] is what the binary read from its environment; this package reads none.
//   - A device is suitable if kernels can run on it: its compute capability suffices, and NVRTC compiles for it or a
//     folder of prebuilt kernels is given.
//   - The software device (softgpu) runs the kernels on the host's cores. It is for tests, is selected only by name,
//     and does not count as a GPU of the host.
package command
