package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/benchproof/benchproof/replay/native"
)

// native is the command by which a replay starts its own drivers as processes.
// It is for no person, so that neither help nor completion shows it; what
// follows the driver's name is the driver's to read.
func (a *app) native() *cobra.Command {
	return &cobra.Command{
		Use:                "native DRIVER FLAGS...",
		Short:              "run one of replay's own drivers",
		Hidden:             true,
		DisableFlagParsing: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			return nativeExit(cmd.Context(), a.e, args)
		},
	}
}

// nativeExit runs a driver, which says itself what went wrong.
func nativeExit(ctx context.Context, e *env, args []string) error {
	if code := native.Main(ctx, args, e.stdout, e.stderr); code != exitOK {
		return &exitError{code: code, err: errAnswerNo}
	}
	return nil
}
