//go:build !amd64

package goldilocks

// There are no kernels: the pure-Go forms do all the work.

func addKernel(dst, a, b []Element) int                                       { return 0 }
func subKernel(dst, a, b []Element) int                                       { return 0 }
func mulKernel(dst, a, b []Element) int                                       { return 0 }
func mulAddKernel(dst, a, b, c []Element) int                                 { return 0 }
func addScalarKernel(dst, a []Element, s Element) int                         { return 0 }
func subFromScalarKernel(dst []Element, s Element, a []Element) int           { return 0 }
func scaleKernel(dst, a []Element, s Element) int                             { return 0 }
func mulExtensionKernel(v, a, b ExtensionVector) int                          { return 0 }
func scaleExtensionKernel(v, a ExtensionVector, s Extension) int              { return 0 }
func scaleAddExtensionKernel(v ExtensionVector, s Extension, a []Element) int { return 0 }

func mulScaleAddKernel(v, a, b ExtensionVector, s Extension, m []Element) bool { return false }

func addProductsKernel(v, a, b, c ExtensionVector, m []Element) bool { return false }

func adjugateKernel(v ExtensionVector, norms []Element, a ExtensionVector) int { return 0 }

func dotKernels(columns [][]Element, b []Element) (sums [3]Element, done int) { return sums, 0 }

func combineKernel(v ExtensionVector, scalars []Extension, columns []*uint64) int { return 0 }
