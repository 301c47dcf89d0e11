package main

import "sync"

// cleanup holds what must be undone if the process ends early. It is safe
// for concurrent use.
type cleanup struct {
	mu   sync.Mutex
	next int
	todo map[int]func()
	done bool
}

// add registers undo and returns a function that takes it off the list.
func (c *cleanup) add(undo func()) (remove func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.done {
		undo()
		return func() {}
	}
	if c.todo == nil {
		c.todo = map[int]func(){}
	}
	id := c.next
	c.next++
	c.todo[id] = undo
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.todo, id)
	}
}

// run undoes everything that is registered, and what will be.
func (c *cleanup) run() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done = true
	for _, undo := range c.todo {
		undo()
	}
	c.todo = nil
}
