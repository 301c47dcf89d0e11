package corpus

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/benchproof/benchproof/result"
)

// Similar is a system of the corpus that is like one of a result.
type Similar struct {
	Index  int    `json:"system_index"` // of the result's system, from 0
	System string `json:"system"`       // of the result
	// Like, FileID, Source and Date are the system of the corpus.
	Like   string `json:"like"`
	FileID string `json:"file_id"`
	Source string `json:"source"`
	Date   string `json:"date"`
	// Shared are the hardware and software components that both have, and
	// All those that either has; Components is their ratio (Jaccard, 1912).
	Shared     int64   `json:"shared"`
	All        int64   `json:"all"`
	Components float64 `json:"components"`
	// Tests are those that both ran, and Apart how many times their values
	// lie apart: exp of the mean of |ln(a/b)|. 1 is equal. Nil without tests.
	Tests int64    `json:"tests"`
	Apart *float64 `json:"apart"`
	// Systems and Files are how many were compared.
	Systems int64 `json:"systems"`
	Files   int64 `json:"files"`
}

// SimilarOptions choose what is alike.
type SimilarOptions struct {
	// ByValues puts systems first whose values are near, of those with at
	// least MinTests in common; else those that share most components.
	ByValues bool
	MinTests int
	// Top is how many systems are returned for each of the result.
	Top int
}

// has is a component of a result's system, for the engine.
type has struct {
	ID    int    `json:"id"`
	Kind  string `json:"kind"`
	Key   string `json:"key"`
	Value string `json:"value"`
}

const similarSQL = askedSQL + othersSQL + `,
mine AS (SELECT DISTINCT x.* FROM (SELECT unnest(from_json($4::JSON, '[{"id":"INTEGER","kind":"VARCHAR","key":"VARCHAR","value":"VARCHAR"}]')) AS x)),
ids AS (SELECT unnest(range($5::INTEGER))::INTEGER AS id),
sizes AS (SELECT i.id, count(m.id) AS n FROM ids i LEFT JOIN mine m ON m.id = i.id GROUP BY i.id),
chosen AS (
 SELECT s.file, s.system_number, s.system, f.file_id, f.source, f.date
 FROM systems s JOIN files f ON f.file = s.file
 WHERE f.sha256 <> $2 AND (f.published_identifier IS NULL OR $3 = '' OR f.published_identifier <> $3)),
theirs AS (SELECT DISTINCT file, system_number, kind, key, value FROM components WHERE kind IN ('hardware', 'software')),
lengths AS (SELECT file, system_number, count(*) AS n FROM theirs GROUP BY ALL),
shared AS (SELECT m.id, t.file, t.system_number, count(*) AS n FROM mine m JOIN theirs t USING (kind, key, value) GROUP BY ALL),
near AS (
 SELECT a.id, o.file, o.system_number, count(*) AS tests, exp(avg(abs(ln(a.number) - ln(o.number)))) AS apart
 FROM asked a JOIN others o ON o.test_key = a.test_key AND a.number > 0 AND o.number > 0
 GROUP BY ALL),
pairs AS (
 SELECT z.id, c.system AS "like", c.file_id, coalesce(c.source, '') AS source, coalesce(c.date, '') AS date,
  coalesce(s.n, 0) AS shared, z.n + coalesce(l.n, 0) - coalesce(s.n, 0) AS "all",
  coalesce(s.n / nullif(z.n + l.n - s.n, 0), 0)::DOUBLE AS components,
  coalesce(n.tests, 0) AS tests, n.apart,
  (SELECT count(*) FROM chosen) AS systems, (SELECT count(DISTINCT file) FROM chosen) AS files
 FROM (SELECT id, file, system_number FROM shared UNION SELECT id, file, system_number FROM near) p
 JOIN chosen c USING (file, system_number)
 JOIN sizes z ON z.id = p.id
 LEFT JOIN lengths l ON l.file = p.file AND l.system_number = p.system_number
 LEFT JOIN shared s ON s.id = p.id AND s.file = p.file AND s.system_number = p.system_number
 LEFT JOIN near n ON n.id = p.id AND n.file = p.file AND n.system_number = p.system_number)
SELECT id AS system_index, * EXCLUDE (id) FROM pairs WHERE NOT $6::BOOLEAN OR tests >= $7::INTEGER
QUALIFY row_number() OVER (PARTITION BY id ORDER BY CASE WHEN $6 THEN apart END NULLS LAST, components DESC, apart NULLS LAST, file_id, "like") <= $8::INTEGER
ORDER BY id, CASE WHEN $6 THEN apart END NULLS LAST, components DESC, apart NULLS LAST, file_id, "like"`

// Similar returns for each system of a result those of the corpus that are
// most like it, best first. Sum is the SHA-256 of the result's input, "" if
// unknown: the result is not compared with itself.
func (c *Corpus) Similar(ctx context.Context, f *result.File, sum string, by SimilarOptions, o QueryOptions) (list []Similar, a *Answer, err error) {
	values, components := []asked{}, []has{}
	for i := range f.Tests {
		t := &f.Tests[i]
		for k := range t.Measurements {
			m := &t.Measurements[k]
			if v, ok := m.Number(); ok && m.Status == result.StatusOK && m.Decode != result.DecodeAmbiguous {
				values = append(values, asked{m.System, testKey(t), string(t.Proportion), v})
			}
		}
	}
	names := f.SystemNames()
	for i := range f.Systems {
		s := &f.Systems[i]
		for _, x := range s.Hardware {
			components = append(components, has{i, result.KindHardware, x.Key, x.Value})
		}
		for _, x := range s.Software {
			components = append(components, has{i, result.KindSoftware, x.Key, x.Value})
		}
	}
	var texts [2]string
	for i, v := range []any{values, components} {
		b, err := json.Marshal(v)
		if err != nil {
			return nil, nil, err
		}
		texts[i] = string(b)
	}
	params := []any{texts[0], sum, f.Identifier, texts[1], len(f.Systems), by.ByValues, by.MinTests, by.Top}
	a, err = ask(ctx, c, similarSQL, params, o, func(s *Similar) {
		if s.Index >= 0 && s.Index < len(names) {
			s.System = names[s.Index]
			list = append(list, *s)
		}
	})
	if err != nil {
		return nil, a, fmt.Errorf("similar: %w", err)
	}
	return list, a, nil
}
