package corpus

import "strings"

// storedSchema is where the engine has the tables as they are on the disk.
const storedSchema = "stored"

func (c *Corpus) engineTables() []engineTable {
	var list []engineTable
	for _, name := range Tables() {
		list = append(list, engineTable{Schema: storedSchema, Name: name, Files: c.Files(name), Filename: name == tablePaths})
	}
	return list
}

// pathsView is the last row of each path. Parts have names that sort by their
// number, shorter ones first.
const pathsView = `SELECT path, sha256, input_bytes, mtime_ns, status, results, error FROM stored.paths
QUALIFY row_number() OVER (PARTITION BY path ORDER BY length(filename) DESC, filename DESC, file_row_number DESC) = 1`

// resultsView is the long table with what is asked for most of the systems.
const resultsView = `SELECT f.file_id, f.source, f.title, f.published_identifier, f.date,
 t.test, t.version, t.profile, t.arguments, t.scale, t.proportion, s.system, s.system_group,
 m.value, m.number, m.half_unit, m.std_error, m.std_error_number, m.n, m.status, m.reason, m.decode,
 s.processor, s.motherboard, s.memory, s.disk, s.os, s.kernel, s.compiler, s.file_system,
 m.file, m.test_number, m.system_number, m.measurement, m.test_key, m.origin.line AS line, m.origin.col AS col
FROM measurements m
JOIN tests t ON t.file = m.file AND t.test_number = m.test_number
JOIN systems s ON s.file = m.file AND s.system_number = m.system_number
JOIN files f ON f.file = m.file`

// views returns the tables that a question sees. Where inputs are superseded
// their rows are left out.
func (c *Corpus) views() []engineView {
	var list []engineView
	list = append(list, engineView{tablePaths, pathsView})
	for _, name := range Tables() {
		if name == tablePaths {
			continue
		}
		sql := "SELECT * FROM " + storedSchema + "." + name
		if c.manifest.Superseded > 0 {
			if name == tableFiles {
				sql += " WHERE sha256 IN (SELECT sha256 FROM paths)"
			} else {
				sql += " WHERE file IN (SELECT file FROM files)"
			}
		}
		list = append(list, engineView{name, sql})
	}
	return append(list, engineView{"results", resultsView})
}

// DuckDBViews returns statements for DuckDB's own shell that make the tables
// and the views of queries out of the corpus' files.
func (c *Corpus) DuckDBViews() string {
	var b strings.Builder
	b.WriteString("CREATE SCHEMA IF NOT EXISTS stored;\n")
	for _, t := range c.engineTables() {
		var files []string
		for _, f := range t.Files {
			f = strings.NewReplacer("[", "[[]", "*", "[*]", "?", "[?]").Replace(f)
			files = append(files, "'"+strings.ReplaceAll(f, "'", "''")+"'")
		}
		b.WriteString("CREATE OR REPLACE VIEW stored." + t.Name + " AS SELECT * FROM read_parquet([" + strings.Join(files, ", ") + "], hive_partitioning = false")
		if t.Filename {
			b.WriteString(", filename = true, file_row_number = true")
		}
		b.WriteString(");\n")
	}
	for _, v := range c.views() {
		b.WriteString("CREATE OR REPLACE VIEW " + v.Name + " AS " + v.SQL + ";\n")
	}
	return b.String()
}
