package stark

import (
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

// fold runs FRI's commit phase: layer by layer it commits to the codeword,
// draws beta and folds, until the polynomial is short enough to send.
func (r *run) fold(codewords backend.Codewords) (layers []backend.Layer, err error) {
	for _, logArity := range r.shape.Schedule {
		var layer backend.Layer
		var layerCap []merkle.Digest
		err = r.stage(StageFold, func() (err error) {
			layer, layerCap, err = r.backend.CommitLayer(r.context, codewords, logArity)
			return err
		})
		if err != nil {
			return nil, err
		}
		r.hold(layer)
		layers = append(layers, layer)
		r.proof.LayerCaps = append(r.proof.LayerCaps, layerCap)
		beta := r.script.layer(layerCap)
		err = r.stage(StageFold, func() error {
			return r.backend.Fold(r.context, codewords, layer, beta)
		})
		if err != nil {
			return nil, err
		}
	}
	err = r.stage(StageFold, func() (err error) {
		r.proof.Final, err = r.backend.Final(r.context, codewords)
		return err
	})
	return layers, err
}
