// Lets the build leave out of @modelcontextprotocol/server what our server does not use: most of its schemas, which it
// makes when it is loaded, and its validator of JSON schemas. Both took longer than all the rest of a first answer.
import path from 'node:path';

const folder = import.meta.dirname;
// Tables of all schemas for programs that ask for one by name; they alone keep every schema.
const TABLES = [
  'for (const key of SPEC_SCHEMA_KEYS) register(key, schemas_exports[key]);\n',
  'for (const [key, schema] of Object.entries(authSchemas)) register(key, schema);\n',
];

/** A plugin for rollup. Throws when the package is no longer as it is known here. */
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
      '@modelcontextprotocol/server fills its tables of schemas in another way: see scripts/mcp-package.mjs',
    );
  return { code: TABLES.reduce((text, line) => text.replace(line, ''), code), map: null };
}

/** Marks what each schema is made by as free of other effects, so that an unused one goes. */
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
