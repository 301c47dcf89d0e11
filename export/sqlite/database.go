package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	// The driver "sqlite".
	_ "modernc.org/sqlite"
)

// database is a database in the making, in a file that has no name for
// anybody else.
type database struct {
	dir  string
	path string
	file *os.File
	db   *sql.DB
	conn *sql.Conn
	stmt [kinds]*sql.Stmt
}

// The tables, as indexes of statements.
const (
	files = iota
	systems
	components
	tests
	measurements
	runs
	diagnostics
	kinds
)

// columns are how many values a row of each table takes.
var columns = [kinds]struct {
	table string
	n     int
}{{"files", 15}, {"systems", 13}, {"components", 6}, {"tests", 19}, {"measurements", 24}, {"runs", 4}, {"diagnostics", 8}}

// create makes an empty database in dir, with a transaction begun.
func create(dir string) (*database, error) {
	if dir == "" {
		dir = os.TempDir()
	}
	file, err := os.CreateTemp(dir, ".benchproof-*.sqlite")
	if err != nil {
		var path *fs.PathError
		if errors.As(err, &path) {
			err = path.Err // its name tells nobody anything
		}
		return nil, fmt.Errorf("make a temporary file in %s: %w", dir, err)
	}
	d := &database{dir: dir, path: file.Name(), file: file}
	if err := d.begin(); err != nil {
		d.discard()
		return nil, d.located(err)
	}
	// The file goes when the process does, whatever becomes of it. Where a
	// system does not take the name of an open file away, discard does.
	_ = os.Remove(d.path)
	return d, nil
}

// begin makes the tables and begins the transaction.
func (d *database) begin() error {
	path, err := filepath.Abs(d.path)
	if err != nil {
		return err
	}
	if d.db, err = sql.Open("sqlite", path); err != nil {
		return err
	}
	d.db.SetMaxOpenConns(1)
	ctx := context.Background()
	if d.conn, err = d.db.Conn(ctx); err != nil {
		return err
	}
	// The file is of use only when it is whole, so there is no journal.
	for _, q := range []string{
		"PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", "PRAGMA locking_mode = EXCLUSIVE",
		"PRAGMA cache_size = -8000", "PRAGMA user_version = " + strconv.Itoa(Version),
		"PRAGMA application_id = 0x42504631", // "BPF1"
		"BEGIN EXCLUSIVE", tables,
	} {
		if _, err := d.conn.ExecContext(ctx, q); err != nil {
			return err
		}
	}
	for i, c := range columns {
		q := "INSERT INTO " + c.table + " VALUES (?" + strings.Repeat(",?", c.n-1) + ")"
		if d.stmt[i], err = d.conn.PrepareContext(ctx, q); err != nil {
			return err
		}
	}
	return nil
}

// located returns an error of the database with the folder that it is in: the
// file has no name for anybody else.
func (d *database) located(err error) error { return fmt.Errorf("in %s: %w", d.dir, err) }

// insert adds a row.
func (d *database) insert(kind int, values ...any) error {
	if _, err := d.stmt[kind].ExecContext(context.Background(), values...); err != nil {
		return d.located(err)
	}
	return nil
}

// finish makes the database whole and copies it to w.
func (d *database) finish(w io.Writer) error {
	defer d.discard()
	if err := d.end(); err != nil {
		where := d.dir
		if temp := os.TempDir(); temp != where {
			// What does not fit into memory while it sorts lies there.
			where += ", or temporary files in " + temp
		}
		return fmt.Errorf("in %s: %w", where, err)
	}
	if _, err := d.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if _, err := io.Copy(w, d.file); err != nil {
		return fmt.Errorf("copy the database: %w", err)
	}
	return nil
}

// end makes the database whole and closes it.
func (d *database) end() error {
	for i := range d.stmt {
		if err := d.stmt[i].Close(); err != nil {
			return err
		}
		d.stmt[i] = nil
	}
	ctx := context.Background()
	for _, q := range []string{indexes, "COMMIT"} {
		if _, err := d.conn.ExecContext(ctx, q); err != nil {
			return err
		}
	}
	return d.close()
}

// close ends the connection.
func (d *database) close() error {
	if d.db == nil {
		return nil
	}
	if d.conn != nil {
		_ = d.conn.Close() // the pool has it
	}
	err := d.db.Close()
	d.db, d.conn = nil, nil
	return err
}

// discard removes what is left.
func (d *database) discard() {
	for i := range d.stmt {
		if d.stmt[i] != nil {
			_ = d.stmt[i].Close()
			d.stmt[i] = nil
		}
	}
	_ = d.close()
	_ = d.file.Close()
	_ = os.Remove(d.path)
}
