// The schemas of the files that people write, in one folder for a schema store: one file each, and a catalogue.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The commands that print them; those of a set-up's families are in the folder that `setup init` creates. */
const PRINTED = {
  'scenario.json': { words: ['test', '--schema'] },
  'policy.json': { words: ['policy', 'edit', '--schema'], fileMatch: ['**/cops/policy.yaml'] },
  'seed.json': { words: ['sandbox', 'seed', '--schema'] },
  'event.json': { words: ['events', 'listen', '--schema'] },
};
const SETTINGS = 'setup/cops.setup.json';

/**
 * Writes `schemas/` in `output`. Files whose names do not mention cops are not matched: their first line names a
 * schema.
 * @param run runs cops with arguments and returns its output
 * @param url the address of the release
 */
export function writeSchemas({ run, url, work, output }) {
  const folder = path.join(output, 'schemas');
  const set = path.join(work, 'set-up');
  run(['setup', 'init', set]);
  mkdirSync(folder, { recursive: true });
  cpSync(path.join(set, '.cops/schema'), path.join(folder, 'setup'), { recursive: true });
  for (const [name, { words }] of Object.entries(PRINTED)) writeFileSync(path.join(folder, name), run(words));
  const names = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.json'));
  const entries = names.sort().map((name) => {
    const file = path.join(folder, name);
    const $id = `${url}/schemas/${name}`;
    const { $schema, title, ...schema } = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, `${JSON.stringify({ $schema, $id, title, ...schema }, null, 1)}\n`);
    const fileMatch = name === SETTINGS ? ['cops.setup.yaml'] : PRINTED[name]?.fileMatch;
    const about = name.startsWith('setup/') && name !== SETTINGS ? `cops set-up: ${title}` : title;
    return { name: about, description: schema.description ?? about, ...(fileMatch && { fileMatch }), url: $id };
  });
  const catalogue = { $schema: 'https://json.schemastore.org/schema-catalog.json', version: 1, schemas: entries };
  writeFileSync(path.join(folder, 'catalog.json'), `${JSON.stringify(catalogue, null, 1)}\n`);
  return names.length;
}
