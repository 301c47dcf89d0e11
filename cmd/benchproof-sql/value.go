package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/duckdb/duckdb-go/v2"
)

// appendValue appends a value of the engine as JSON.
func appendValue(line []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(line, "null"...), nil
	case bool:
		return strconv.AppendBool(line, v), nil
	case float64:
		return appendFloat(line, v, 64), nil
	case float32:
		return appendFloat(line, float64(v), 32), nil
	case int64:
		return strconv.AppendInt(line, v, 10), nil
	case int32:
		return strconv.AppendInt(line, int64(v), 10), nil
	case *big.Int:
		return v.Append(line, 10), nil
	case string:
		return appendText(line, v)
	case []byte:
		return appendText(line, hex.EncodeToString(v))
	case time.Time:
		return appendText(line, v.Format(time.RFC3339Nano))
	case duckdb.Decimal:
		return appendText(line, v.String())
	case duckdb.Interval:
		return appendText(line, fmt.Sprintf("%d months %d days %d us", v.Months, v.Days, v.Micros))
	case duckdb.Map:
		// Keys of any type, in a settled order.
		entries := make([][2]any, 0, len(v))
		for k, e := range v {
			entries = append(entries, [2]any{fmt.Sprint(k), e})
		}
		slices.SortFunc(entries, func(a, b [2]any) int { return compare(a[0].(string), b[0].(string)) })
		m := make([]string, len(entries))
		values := make([]any, len(entries))
		for i, e := range entries {
			m[i], values[i] = e[0].(string), e[1]
		}
		return appendObject(line, m, values)
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		values := make([]any, len(keys))
		for i, k := range keys {
			values[i] = v[k]
		}
		return appendObject(line, keys, values)
	}
	return appendOther(line, v)
}

func compare(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// appendOther appends lists, the other integers, and the rest as text.
func appendOther(line []byte, v any) ([]byte, error) {
	r := reflect.ValueOf(v)
	switch r.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16:
		return strconv.AppendInt(line, r.Int(), 10), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return strconv.AppendUint(line, r.Uint(), 10), nil
	case reflect.Slice, reflect.Array:
		if _, text := v.(fmt.Stringer); text {
			break // a UUID
		}
		line = append(line, '[')
		for i := range r.Len() {
			if i > 0 {
				line = append(line, ',')
			}
			var err error
			if line, err = appendValue(line, r.Index(i).Interface()); err != nil {
				return nil, err
			}
		}
		return append(line, ']'), nil
	}
	return appendText(line, fmt.Sprint(v))
}

func appendObject(line []byte, keys []string, values []any) ([]byte, error) {
	line = append(line, '{')
	for i, k := range keys {
		if i > 0 {
			line = append(line, ',')
		}
		var err error
		if line, err = appendText(line, k); err != nil {
			return nil, err
		}
		line = append(line, ':')
		if line, err = appendValue(line, values[i]); err != nil {
			return nil, err
		}
	}
	return append(line, '}'), nil
}

// appendFloat appends the shortest text that reads back as v.
func appendFloat(line []byte, v float64, bits int) []byte {
	switch {
	case math.IsNaN(v):
		return append(line, `"NaN"`...)
	case math.IsInf(v, 1):
		return append(line, `"Infinity"`...)
	case math.IsInf(v, -1):
		return append(line, `"-Infinity"`...)
	}
	if a := math.Abs(v); a != 0 && (a < 1e-6 || a >= 1e21) {
		return strconv.AppendFloat(line, v, 'e', -1, bits)
	}
	return strconv.AppendFloat(line, v, 'f', -1, bits)
}

func appendText(line []byte, s string) ([]byte, error) {
	b, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	return append(line, b...), nil
}
