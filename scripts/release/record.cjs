// Runs the program from a folder of chunks as the executable does, and stores the compiled code there:
//   CHUNKS=<folder> node record.cjs <words of cops>
const fs = require('node:fs');
const path = require('node:path');
const { chunkLoader } = require('../../bin/chunks.js');

const folder = process.env.CHUNKS;
const scripts = new Map();
// V8 accepts a cache only under the flags it was created with, and the program sets one while it runs.
require('node:v8').setFlagsFromString = () => {};
process.on('exit', keep);
chunkLoader({
  folder: 'cops/',
  read: (name) => fs.readFileSync(path.join(folder, name), 'latin1'),
  readCache: (name) => (fs.existsSync(cacheOf(name)) ? fs.readFileSync(cacheOf(name)) : undefined),
  compiled: (name, script) => scripts.set(name, script),
})('entry.js');

function cacheOf(name) {
  return path.join(folder, `${name}.cache`);
}

/** Keeps the code compiled in this run and in earlier ones, whose caches it starts with. */
function keep() {
  for (const [name, script] of scripts) {
    const file = cacheOf(name);
    const data = script.createCachedData();
    if (data.length > (fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0)) fs.writeFileSync(file, data);
  }
}
