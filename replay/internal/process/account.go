package process

import (
	"fmt"
	"os/user"
	"strconv"
)

// Account is a user that a program runs as.
type Account struct {
	Name string `json:"name"`
	UID  uint32 `json:"uid"`
	GID  uint32 `json:"gid"` // primary group; there are no others
}

// Unprivileged returns the account for programs that refuse root, nil where
// this program is not root's: they then run as the user that there is.
//
// It is the user who called sudo, where environ("SUDO_UID") tells one other
// than root, since such a user may usually enter the directory that the target
// is in; else nobody. Accounts of installed servers (postgres, mysql) are left
// alone: what runs as one of them could reach into the real server's data.
func Unprivileged(uid int, environ func(string) string) (*Account, error) {
	if uid != 0 {
		return nil, nil
	}
	if id := environ("SUDO_UID"); id != "" && id != "0" {
		if u, err := user.LookupId(id); err == nil {
			return account(u)
		}
	}
	u, err := user.Lookup("nobody")
	if err != nil {
		return nil, fmt.Errorf("an account for programs that refuse root: %w", err)
	}
	return account(u)
}

func account(u *user.User) (*Account, error) {
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, fmt.Errorf("account %q: user %q: %w", u.Username, u.Uid, err)
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return nil, fmt.Errorf("account %q: group %q: %w", u.Username, u.Gid, err)
	}
	if uid == 0 {
		return nil, fmt.Errorf("account %q is root", u.Username)
	}
	return &Account{Name: u.Username, UID: uint32(uid), GID: uint32(gid)}, nil
}
