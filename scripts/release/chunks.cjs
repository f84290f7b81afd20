// Loads the program's chunks from inside the executable, each when it is first asked for.
const vm = require('node:vm');

/**
 * Makes a `load(name)` for the chunks that `read(name)` gives as bytes: a whole function of `exports`, `require` and
 * `module`, in ASCII. `readCache(name)` gives its code cache or undefined; `compiled` hears of every script.
 */
exports.chunkLoader = function chunkLoader({ read, readCache, compiled }) {
  const modules = new Map();
  return load;

  function load(name) {
    const known = modules.get(name);
    if (known) return known.exports;
    const module = { exports: {} };
    modules.set(name, module);
    try {
      const script = new vm.Script(Buffer.from(read(name)).latin1Slice(), {
        filename: `cops/${name}`,
        cachedData: readCache(name),
        importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      });
      compiled?.(name, script);
      script.runInThisContext()(module.exports, requireFrom, module);
    } catch (error) {
      modules.delete(name);
      throw error;
    }
    return module.exports;
  }

  /** Another chunk, or a part of Node: an executable holds no packages beside its chunks. */
  function requireFrom(id) {
    return id.startsWith('./') ? load(id.slice(2)) : require(id);
  }
};
