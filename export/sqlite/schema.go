package sqlite

// Version of the tables and views. Columns may be added without a new one.
const Version = 1

// tables are made before the first row, indexes and views behind the last.
const tables = `
CREATE TABLE files (
	id            INTEGER PRIMARY KEY,
	source        TEXT NOT NULL,  -- base name or label of the input
	title         TEXT NOT NULL,
	description   TEXT NOT NULL,
	title_decode  TEXT NOT NULL,  -- how sure the division of the two is: exact, inferred, ambiguous
	title_description TEXT NOT NULL, -- undivided, where the form has no mark
	url           TEXT NOT NULL,
	identifier    TEXT NOT NULL,
	generator     TEXT NOT NULL,
	format        TEXT NOT NULL,
	last_modified TEXT NOT NULL,
	notes         TEXT NOT NULL,
	internal_tags TEXT NOT NULL,
	reference_id  TEXT NOT NULL,
	environment   TEXT NOT NULL
);
CREATE TABLE systems (
	id             INTEGER PRIMARY KEY,
	file_id        INTEGER NOT NULL REFERENCES files,
	position       INTEGER NOT NULL, -- in the file, from 1
	name           TEXT NOT NULL,    -- the identifier, with " #2" for a second one
	identifier     TEXT NOT NULL,    -- as published
	"group"        TEXT NOT NULL,    -- in a multi-way comparison
	label          TEXT NOT NULL,    -- in its group
	decode         TEXT NOT NULL,
	user           TEXT NOT NULL,
	timestamp      TEXT NOT NULL,
	client_version TEXT NOT NULL,
	notes          TEXT NOT NULL,
	details        TEXT              -- published JSON
);
CREATE TABLE components (
	system_id INTEGER NOT NULL REFERENCES systems,
	position  INTEGER NOT NULL,
	kind      TEXT NOT NULL,     -- hardware, software, notes
	key       TEXT NOT NULL,
	value     TEXT NOT NULL,
	inherited INTEGER NOT NULL,  -- 1: not printed for this system, as in the column before
	PRIMARY KEY (system_id, position)
) WITHOUT ROWID;
CREATE TABLE tests (
	id                INTEGER PRIMARY KEY,
	file_id           INTEGER NOT NULL REFERENCES files,
	position          INTEGER NOT NULL,
	profile           TEXT NOT NULL,
	title             TEXT NOT NULL,
	version           TEXT NOT NULL,
	head_decode       TEXT NOT NULL,
	arguments         TEXT NOT NULL,
	options           TEXT,          -- JSON: [{"key":…,"value":…}]
	command_arguments TEXT NOT NULL,
	scale             TEXT NOT NULL,
	proportion        TEXT NOT NULL, -- HIB, LIB or empty
	display_format    TEXT NOT NULL,
	footnotes         TEXT,          -- JSON list
	parent            TEXT NOT NULL,
	annotation        TEXT NOT NULL,
	unassigned        TEXT,          -- JSON: standard errors of one of several systems
	line              INTEGER,
	"column"          INTEGER
);
CREATE TABLE measurements (
	id                INTEGER PRIMARY KEY,
	test_id           INTEGER NOT NULL REFERENCES tests,
	system_id         INTEGER NOT NULL REFERENCES systems,
	position          INTEGER NOT NULL,
	value             TEXT,     -- as printed
	number            REAL,
	std_error         TEXT,     -- as printed, or derived
	std_error_number  REAL,
	std_error_derived INTEGER NOT NULL,
	samples           INTEGER,
	min               TEXT,
	max               TEXT,
	precise           TEXT,     -- the value with more digits
	run_times         TEXT,     -- JSON list of seconds
	notes             TEXT,     -- JSON list
	status            TEXT NOT NULL,
	reason            TEXT NOT NULL,
	decode            TEXT NOT NULL,
	alternatives      TEXT,     -- JSON list
	replay            TEXT,     -- JSON
	details           TEXT,     -- published JSON
	line              INTEGER,
	"column"          INTEGER,
	rule              TEXT NOT NULL
);
CREATE TABLE runs (
	measurement_id INTEGER NOT NULL REFERENCES measurements,
	run            INTEGER NOT NULL, -- from 1
	value          TEXT NOT NULL,    -- as printed
	number         REAL,
	PRIMARY KEY (measurement_id, run)
) WITHOUT ROWID;
CREATE TABLE diagnostics (
	id       INTEGER PRIMARY KEY,
	file_id  INTEGER NOT NULL REFERENCES files,
	severity TEXT NOT NULL,
	code     TEXT NOT NULL,
	message  TEXT NOT NULL,
	source   TEXT NOT NULL,
	line     INTEGER,
	"column" INTEGER
);
`

const indexes = `
CREATE INDEX systems_file ON systems (file_id);
CREATE INDEX systems_identifier ON systems (identifier);
CREATE INDEX components_key ON components (key, value);
CREATE INDEX tests_file ON tests (file_id);
CREATE INDEX tests_profile ON tests (profile);
CREATE INDEX tests_title ON tests (title, arguments, scale);
CREATE INDEX measurements_test ON measurements (test_id);
CREATE INDEX measurements_system ON measurements (system_id);
CREATE INDEX diagnostics_file ON diagnostics (file_id);

CREATE VIEW long AS
SELECT f.source, f.title, t.title AS test, t.version, t.profile, t.arguments, t.scale, t.proportion, s.name AS system,
	coalesce(m.value, '') AS value, coalesce(m.std_error, '') AS std_error, coalesce(m.samples, '') AS samples,
	coalesce((SELECT group_concat(value, ';') FROM (SELECT value FROM runs WHERE measurement_id = m.id ORDER BY run)), '') AS raw_values,
	m.status, m.decode, coalesce(m.line, '') AS line, coalesce(m."column", '') AS "column"
FROM measurements m JOIN tests t ON t.id = m.test_id JOIN systems s ON s.id = m.system_id JOIN files f ON f.id = t.file_id
ORDER BY m.id;

CREATE VIEW long_systems AS
SELECT f.source, s.name AS system, s."group", coalesce(c.kind, '') AS kind, coalesce(c.key, '') AS key, coalesce(c.value, '') AS value,
	iif(c.inherited, 'true', 'false') AS inherited
FROM systems s JOIN files f ON f.id = s.file_id LEFT JOIN components c ON c.system_id = s.id
ORDER BY s.id, c.position;

CREATE VIEW long_runs AS
SELECT f.source, t.title AS test, t.version, t.arguments, t.scale, s.name AS system, r.run, r.value
FROM measurements m JOIN runs r ON r.measurement_id = m.id JOIN tests t ON t.id = m.test_id
	JOIN systems s ON s.id = m.system_id JOIN files f ON f.id = t.file_id
ORDER BY m.id, r.run;

CREATE VIEW long_diagnostics AS
SELECT source, coalesce(line, '') AS line, coalesce("column", '') AS "column", severity, code, message FROM diagnostics ORDER BY id;
`
