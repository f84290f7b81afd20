// Writes the file of a new family with the five usual operations, and says what to do next:
// `npm run new:family -- gift_cards [event|people|set-up]`. `--into <folder>` writes it elsewhere.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const NATURES = ['event', 'people', 'set-up'];

/** The text of a family's file: anything implied by its name is left to the conventions. */
export function familyText(name, nature) {
  const command = name.replaceAll('_', '-');
  const spoken = name.replaceAll('_', ' ');
  const list = nature === 'set-up' ? '{}' : `{ example: '${command} list --last 30d' }`;
  return `import type { FamilySpec } from '../conventions.js';
import { flag, namedItem, partlySeenBody, text } from '../fields.js';

export default {
  name: '${name}',
  summary: '${spoken.charAt(0).toUpperCase()}${spoken.slice(1)}.',
  columns: ['id name enabled created_date_unix'],
  exampleId: 'AbCdEfGhIjKlMnOpQrSt',
  nature: '${nature}',
  item: namedItem,
  operations: {
    list: ${list},
    get: {},
    create: {
      body: partlySeenBody({
        name: { ...text, required: true, common: true },
        description: text,
        enabled: { ...flag, common: true },
      }),
      example: '${command} create --name "First"',
    },
    edit: {
      body: { asCreate: true },
      example: '${command} edit AbCdEfGhIjKlMnOpQrSt --name "Second"',
    },
    delete: {},
  },
} as const satisfies FamilySpec;
`;
}

const NEXT = (file) => `Wrote ${file}.

1. Say in it what the service says: summary, item fields, columns, risk of each write (money, irreversible), bodies
   (closed and complete only where the whole schema was seen), rules, and evidence 'convention' where nothing was seen.
   Leave out what the conventions say (src/catalogue/conventions.ts); \`undefined\` takes one away.
2. npm run generate      the index, completions and reference; faults of the family stop it and are named
3. npx vitest run test/unit/catalogue
`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const words = process.argv.slice(2);
  const at = words.indexOf('--into');
  const [, into] = at < 0 ? [] : words.splice(at, 2);
  const [name = '', nature = 'set-up'] = words;
  const fault = !/^[a-z]+(_[a-z]+)*$/.test(name)
    ? 'Usage: npm run new:family -- <plural_name> [event|people|set-up]; small letters and single underscores.'
    : NATURES.includes(nature)
      ? undefined
      : `The nature of a family is one of ${NATURES.join(', ')}.`;
  if (fault === undefined) {
    const folder = into ?? fileURLToPath(new URL('../src/catalogue/families/', import.meta.url));
    const file = path.join(folder, `${name}.ts`);
    try {
      await writeFile(file, familyText(name, nature), { flag: 'wx' });
      process.stdout.write(NEXT(path.relative(process.cwd(), file)));
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      process.stderr.write(`${file} already exists: edit it instead.\n`);
      process.exitCode = 1;
    }
  } else {
    process.stderr.write(`${fault}\n`);
    process.exitCode = 2;
  }
}
