#!/usr/bin/env node
// Loads the bundled chunks with V8's code cache, which halves the time that loading them takes. The caches are made by
// the build for the Node that ran it; any other Node that can keeps one of its own. Without either, everything works.
const fs = require('node:fs');
const path = require('node:path');

const dist = path.join(__dirname, '..', 'dist') + path.sep;
const cache = path.join(dist, 'cache', `${process.version}-${process.platform}-${process.arch}`) + path.sep;
const SMALL = 8_192;
const record = process.env.COPS_RECORD_CODE_CACHE === '1';

(record || fs.existsSync(cache) ? cached() : plain()).start(process);

function plain() {
  const Module = require('node:module');
  if (Module.enableCompileCache) {
    const home = process.env.XDG_CACHE_HOME || cacheHome();
    if (home) Module.enableCompileCache(path.join(home, 'cops', 'code'));
  }
  return require('../dist/main.js');
}

function cacheHome() {
  try {
    return path.join(require('node:os').homedir(), '.cache');
  } catch {
    // A user without HOME and without an entry in the list of users has none.
    return undefined;
  }
}

function cached() {
  const scripts = new Map();
  if (record) keepAtTheEnd(scripts);
  const load = require('./chunks.js').chunkLoader({
    folder: dist,
    // The build makes chunks in ASCII.
    read: (name) =>
      `(function(exports,require,module,__filename,__dirname){${fs.readFileSync(dist + name, 'latin1')}\n})`,
    // A small chunk is compiled sooner than its cache is read.
    readCache: (name, text) => (text.length < SMALL ? undefined : read(cache + name)),
    compiled: record ? (name, script) => scripts.set(name, script) : undefined,
  });
  return load('main.js');
}

function read(file) {
  try {
    return fs.readFileSync(file);
  } catch {
    return undefined;
  }
}

function keepAtTheEnd(scripts) {
  // V8 takes a cache only under the flags that it was made under, and the program sets one while it runs.
  require('node:v8').setFlagsFromString = () => {};
  process.on('exit', () => write(scripts));
}

/** Keeps what was compiled in this run and in those before it, whose caches it began with. */
function write(scripts) {
  fs.mkdirSync(cache, { recursive: true });
  for (const [name, script] of scripts) {
    const data = script.createCachedData();
    if (data.length > (read(cache + name)?.length ?? 0)) fs.writeFileSync(cache + name, data);
  }
}
