// Lets the build drop the parts of @modelcontextprotocol/server that our server does not use: most of its schemas,
// which it creates on load, and its validator of JSON schemas. Both took longer than the rest of a first answer.
import path from 'node:path';

const folder = import.meta.dirname;
// Tables of all schemas, for programs that look one up by name; only they keep every schema alive.
const TABLES = [
  'for (const key of SPEC_SCHEMA_KEYS) register(key, schemas_exports[key]);\n',
  'for (const [key, schema] of Object.entries(authSchemas)) register(key, schema);\n',
];

/** A rollup plugin. Throws if the package no longer has the expected form. */
export const mcpPackage = {
  name: 'mcp-package',
  resolveId: (id) => (id === '@modelcontextprotocol/server/_shims' ? path.join(folder, 'mcp-validator.mjs') : null),
  transform(code, id) {
    if (/@modelcontextprotocol\/server\/dist\/src-[\w-]+\.mjs$/.test(id)) return withoutTables(code);
    if (/@modelcontextprotocol\/core\/dist\/(schemas|auth)-[\w-]+\.mjs$/.test(id))
      return droppable(code, this.parse(code));
    return null;
  },
};

function withoutTables(code) {
  if (!TABLES.every((line) => code.includes(line)))
    throw new Error(
      '@modelcontextprotocol/server fills its tables of schemas differently now: see scripts/mcp-package.mjs',
    );
  return { code: TABLES.reduce((text, line) => text.replace(line, ''), code), map: null };
}

/** Marks the construction of each schema as free of side effects, so that the build drops unused ones. */
function droppable(code, { body }) {
  const made = body
    .filter(({ type, kind }) => type === 'VariableDeclaration' && kind === 'const')
    .flatMap(({ declarations }) => declarations.map(({ init }) => init))
    .filter(({ type }) => type === 'CallExpression');
  const text = made.reduceRight(
    (rest, { start, end }) =>
      `${rest.slice(0, start)}/* @__PURE__ */ (() => ${rest.slice(start, end)})()${rest.slice(end)}`,
    code,
  );
  return { code: text, map: null };
}
