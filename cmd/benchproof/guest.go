package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/benchproof/benchproof/replay"
	"github.com/benchproof/benchproof/replay/lab/guest"
)

// guestInit is the command that a guest's kernel starts as its first program.
// It is for no person, so that neither help nor completion shows it.
func (a *app) guestInit() *cobra.Command {
	return &cobra.Command{
		Use:    guest.Command,
		Short:  "be the first program of a guest",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			err := guest.Main(func(ctx context.Context, in *guest.Inside) (any, error) {
				return replay.InGuest(ctx, in, replayProfiles())
			})
			if err != nil {
				return failed("", err)
			}
			return nil
		},
	}
}
