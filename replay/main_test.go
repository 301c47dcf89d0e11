package replay

// fakeArg is the first argument that makes this test binary the fake tool.
const fakeArg = "fake-tool"
