// Lets the build bundle the JavaScript of libsql. Only its native part stays an installed package, loaded directly on
// systems where its name is known: the package's own search for it loads child processes and asks for a report on the
// whole process, which takes half as long as a start of Node.
const SEARCH =
  /^const \{ load, currentTarget \} = require\("@neon-rs\/load"\);\nconst \{ familySync, GLIBC, MUSL \} = require\("detect-libc"\);\n/m;

/** The name of the native part for this machine, if it is easy to tell. */
function nativePart() {
  const { platform, arch } = process;
  if (platform !== 'linux' || (arch !== 'x64' && arch !== 'arm64')) return undefined;
  try {
    const text = process.getBuiltinModule('node:fs').readFileSync('/usr/bin/ldd', 'latin1');
    const libc = text.includes('musl') ? 'musl' : text.includes('GNU C Library') ? 'gnu' : undefined;
    return libc && `@libsql/linux-${arch}-${libc}`;
  } catch {
    return undefined;
  }
}

/** A rollup plugin. Throws if the package no longer has the expected form. */
export const libsqlPackage = {
  name: 'libsql-package',
  transform(code, id) {
    if (!/node_modules\/libsql\/index\.js$/.test(id)) return null;
    const begin = 'function requireNative() {\n';
    if (!SEARCH.test(code) || !code.includes(begin))
      throw new Error('libsql looks for its native part differently now: see scripts/libsql-package.mjs');
    const text = code
      .replace(SEARCH, `${nativePart}\n`)
      .replace('return require(', 'return installed(')
      .replace(
        begin,
        `${begin}  const known = nativePart();
  try {
    if (known) return require(known);
  } catch {}
  const { createRequire } = process.getBuiltinModule('node:module');
  const installed = createRequire(createRequire(__filename).resolve('libsql'));
  const { load, currentTarget } = installed('@neon-rs/load');
  const { familySync, GLIBC, MUSL } = installed('detect-libc');
`,
      );
    return { code: text, map: null };
  },
};
