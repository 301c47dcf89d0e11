package xmlscan

// attrs yields the attributes of the current Start in order, values with
// their references replaced. Both slices are valid until the next one.
func (s *Scanner) attrs(yield func(name, value []byte) bool) {
	rest := s.attr
	for {
		name, value, tail, ok := cutAttr(rest)
		if !ok || len(name) == 0 {
			return
		}
		at := s.attrAt + len(s.attr) - len(tail) - len(value) - 1
		if !yield(name, s.decode(value, at, true)) {
			return
		}
		rest = tail
	}
}

// HasAttrs reports whether the current Start has attributes.
func (s *Scanner) HasAttrs() bool { return len(trim(s.attr)) > 0 }

// wellFormed reports whether attr is a list of names with quoted values.
func wellFormed(attr []byte) bool {
	for {
		name, _, tail, ok := cutAttr(attr)
		if !ok {
			return false
		}
		if len(name) == 0 {
			return true
		}
		attr = tail
	}
}

// cutAttr cuts the first attribute off attr. name is empty if there is none,
// and ok false if attr is no attribute.
func cutAttr(attr []byte) (name, value, tail []byte, ok bool) {
	attr = skip(attr)
	if len(attr) == 0 {
		return nil, nil, nil, true
	}
	n := 0
	for n < len(attr) && nameByte(attr[n]) {
		n++
	}
	name, attr = attr[:n], skip(attr[n:])
	if n == 0 || len(attr) == 0 || attr[0] != '=' {
		return nil, nil, nil, false
	}
	attr = skip(attr[1:])
	if len(attr) == 0 || attr[0] != '"' && attr[0] != '\'' {
		return nil, nil, nil, false
	}
	for n = 1; n < len(attr); n++ {
		if attr[n] == attr[0] {
			return name, attr[1:n], attr[n+1:], true
		}
	}
	return nil, nil, nil, false
}

func skip(p []byte) []byte {
	for len(p) > 0 && space(p[0]) {
		p = p[1:]
	}
	return p
}
