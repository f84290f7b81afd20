// Stands in for parts of libraries that are never reached (see build.mjs).
module.exports = {};
