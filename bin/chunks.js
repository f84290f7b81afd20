// Loads the program's chunks, each when it is first asked for, for the installed program and inside the executables.
const vm = require('node:vm');

/**
 * Makes what loads a chunk by its name: Node's own way looks up the file and its package for each of them.
 * `read(name)` gives its text in ASCII: a whole function of `exports`, `require`, `module`, `__filename` and
 * `__dirname`. `readCache(name, text)` gives its code cache or undefined; `compiled` hears of every script. `folder`
 * stands before the names in traces.
 */
exports.chunkLoader = function chunkLoader({ folder, read, readCache, compiled }) {
  const modules = new Map();
  return load;

  function load(name) {
    const known = modules.get(name);
    if (known) return known.exports;
    const module = { exports: {} };
    modules.set(name, module);
    try {
      const filename = folder + name;
      const text = read(name);
      const script = new vm.Script(text, {
        filename,
        cachedData: readCache(name, text),
        importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      });
      compiled?.(name, script);
      script.runInThisContext()(module.exports, requireFrom, module, filename, folder);
    } catch (error) {
      modules.delete(name);
      throw error;
    }
    return module.exports;
  }

  /** Another chunk, or what Node finds: an executable holds no packages beside its chunks. */
  function requireFrom(id) {
    return id.startsWith('./') ? load(id.slice(2)) : require(id);
  }
};
