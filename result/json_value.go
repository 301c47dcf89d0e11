package result

// boolean reads true or false.
func (s *jsonScanner) boolean(p *bool) error {
	c, err := s.token()
	if err != nil {
		return err
	}
	switch c {
	case 't':
		*p = true
		return s.literal("true")
	case 'f':
		*p = false
		return s.literal("false")
	}
	return s.fail("found %s, expected a boolean", jsonKind(c))
}

// null takes a null and reports whether there was one.
func (s *jsonScanner) null() (bool, error) {
	c, err := s.token()
	if err != nil || c != 'n' {
		return false, err
	}
	return true, s.literal("null")
}

func (s *jsonScanner) literal(word string) error {
	for i := range len(word) {
		c, err := s.next()
		if err != nil {
			return err
		}
		if c != word[i] {
			return s.fail("found %q within what began as %s", c, word)
		}
	}
	return nil
}

// skip reads any value and forgets it.
func (s *jsonScanner) skip(depth int) error {
	if depth > maxJSONDepth {
		return s.limit("MaxDepth", "nesting", maxJSONDepth)
	}
	c, err := s.token()
	if err != nil {
		return err
	}
	switch jsonKind(c) {
	case "an object":
		_, _ = s.next()
		for n := 0; ; n++ {
			more, err := s.more(n, '}')
			if err != nil || !more {
				return err
			}
			if err := s.scanString("a key"); err != nil {
				return err
			}
			if err := s.expect(':', "':'"); err != nil {
				return err
			}
			if err := s.skip(depth + 1); err != nil {
				return err
			}
		}
	case "a list":
		return s.array(func() error { return s.skip(depth + 1) })
	case "a string":
		return s.scanString("a string")
	case "a number":
		return s.number()
	case "a boolean":
		var b bool
		return s.boolean(&b)
	case "null":
		return s.literal("null")
	}
	return s.fail("found %s, expected a value", jsonKind(c))
}
