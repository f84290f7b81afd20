import { Item } from '../../../items/json/item-json.js';
import type { Context, Done } from '../../../session/context/context.js';

/** Each names its source: nobody owns the bare name on npm's registry, so anyone could take it. */
const WAYS: readonly (readonly [from: string, command: string])[] = [
  ['From a clone', 'git pull && npm install && npm install -g .'],
  ["From a release's package", 'npm install -g ./cops-<version>.tgz'],
  ["From a release's install.sh", 'sh install.sh <address of the release>'],
  ['From a .deb', 'sudo apt install ./cops_<version>_amd64.deb'],
];

/** `cops update`: prints the commands to run; the program never updates itself. */
export async function run(context: Context): Promise<Done> {
  const { format, query } = await context.settings();
  const commands = WAYS.map(([, command]) => command);
  if (format !== 'table' || query !== undefined)
    return { result: { shape: 'one', item: Item.of({ version: context.world.version, commands }) } };
  const width = Math.max(...WAYS.map(([from]) => from.length));
  const text = [
    `This is cops ${context.world.version}. It never changes itself: it is updated as it was installed.`,
    ...WAYS.map(([from, command]) => `  ${`${from}:`.padEnd(width + 2)} ${command}`),
    'CHANGELOG.md lists the changes. Settings, keys, history and journals are kept.',
    '',
  ];
  return { result: { shape: 'text', text: text.join('\n') } };
}
