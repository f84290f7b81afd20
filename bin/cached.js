// Loads the bundled chunks with V8's code cache, which halves the time that loading them takes. The caches are made by
// the build for the Node that ran it; any other Node that can keeps one of its own. Without either, everything works.
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const vm = require('node:vm');

const dist = path.join(__dirname, '..', 'dist') + path.sep;
const cache = path.join(dist, 'cache', `${process.version}-${process.platform}-${process.arch}`);
const SMALL = 8_192;
const record = process.env.COPS_RECORD_CODE_CACHE === '1';

if (record || fs.existsSync(cache)) useOwnCache();
else if (Module.enableCompileCache) {
  const home = process.env.XDG_CACHE_HOME || path.join(require('node:os').homedir(), '.cache');
  Module.enableCompileCache(path.join(home, 'cops', 'code'));
}

module.exports = require('../dist/main.js');

function useOwnCache() {
  const plain = Module._extensions['.js'];
  const scripts = new Map();
  Module._extensions['.js'] = (module, filename) => {
    if (!filename.startsWith(dist)) {
      plain(module, filename);
      return;
    }
    const source = fs.readFileSync(filename, 'utf8');
    const script = new vm.Script(Module.wrap(source), {
      filename,
      // A small chunk is compiled sooner than its cache is read.
      cachedData: record || source.length < SMALL ? undefined : read(cacheFile(filename)),
      importModuleDynamically: vm.constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    if (record) scripts.set(filename, script);
    const require = (id) => module.require(id);
    require.resolve = (id) => Module._resolveFilename(id, module);
    script.runInThisContext()(module.exports, require, module, filename, path.dirname(filename));
  };
  if (!record) return;
  // V8 takes a cache only under the flags that it was made under, and the program sets one while it runs.
  require('node:v8').setFlagsFromString = () => {};
  process.on('exit', () => write(scripts));
}

function cacheFile(filename) {
  return path.join(cache, path.basename(filename));
}

function read(file) {
  try {
    return fs.readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Keeps what was compiled in this run; of several runs the one that compiled most of a chunk. */
function write(scripts) {
  fs.mkdirSync(cache, { recursive: true });
  for (const [filename, script] of scripts) {
    const data = script.createCachedData();
    const file = cacheFile(filename);
    if (data.length > (read(file)?.length ?? 0)) fs.writeFileSync(file, data);
  }
}
