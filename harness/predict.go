package harness

import (
	"context"

	"github.com/chiasmus/chiasmus/harness/plan"
)

// Predict decides like Compare, and predicts proofs and time without measuring.
func Predict(ctx context.Context, options Options) (*plan.Forecast, error) {
	_, decision, err := decideProbed(ctx, options)
	if err != nil {
		return nil, err
	}
	return plan.PredictAll(ctx, decision)
}
