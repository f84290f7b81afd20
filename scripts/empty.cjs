// Replaces unused parts of libraries (see build.mjs).
module.exports = {};
