// Loads the bundled chunks with V8's code cache, which halves the time that loading them takes. The caches are made by
// the build for the Node that ran it; any other Node that can keeps one of its own. Without either, everything works.
const fs = require('node:fs');
const path = require('node:path');

const dist = path.join(__dirname, '..', 'dist') + path.sep;
const cache = path.join(dist, 'cache', `${process.version}-${process.platform}-${process.arch}`) + path.sep;
const SMALL = 8_192;
const record = process.env.COPS_RECORD_CODE_CACHE === '1';

module.exports = record || fs.existsSync(cache) ? loader()('main.js') : plain();

function plain() {
  const Module = require('node:module');
  if (Module.enableCompileCache) {
    const home = process.env.XDG_CACHE_HOME || path.join(require('node:os').homedir(), '.cache');
    Module.enableCompileCache(path.join(home, 'cops', 'code'));
  }
  return require('../dist/main.js');
}

/** Makes what loads a chunk by its name: Node's own way looks up the file and its package for each of them. */
function loader() {
  const vm = require('node:vm');
  const modules = new Map();
  const scripts = new Map();
  if (record) keepAtTheEnd(scripts);
  return load;

  function load(name) {
    const known = modules.get(name);
    if (known) return known.exports;
    const module = { exports: {} };
    modules.set(name, module);
    try {
      const filename = dist + name;
      // The build makes chunks in ASCII.
      const source = fs.readFileSync(filename, 'latin1');
      const script = new vm.Script(`(function(exports,require,module,__filename,__dirname){${source}\n})`, {
        filename,
        // A small chunk is compiled sooner than its cache is read.
        cachedData: record || source.length < SMALL ? undefined : read(cache + name),
      });
      if (record) scripts.set(name, script);
      script.runInThisContext()(module.exports, requireFrom, module, filename, dist);
    } catch (error) {
      modules.delete(name);
      throw error;
    }
    return module.exports;
  }

  function requireFrom(id) {
    return id.startsWith('./') ? load(id.slice(2)) : require(id);
  }
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

/** Keeps what was compiled in this run; of several runs the one that compiled most of a chunk. */
function write(scripts) {
  fs.mkdirSync(cache, { recursive: true });
  for (const [name, script] of scripts) {
    const data = script.createCachedData();
    if (data.length > (read(cache + name)?.length ?? 0)) fs.writeFileSync(cache + name, data);
  }
}
