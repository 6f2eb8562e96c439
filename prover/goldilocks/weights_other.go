//go:build !amd64

package goldilocks

func weightLanes() int { return 0 }

func (w *Weights) addColumnsKernel(dst ExtensionVector, columns [][]Element, first int) int {
	return 0
}

func (w *RowWeights) dotKernel(column []Element) (Extension, int) { return Extension{}, 0 }
