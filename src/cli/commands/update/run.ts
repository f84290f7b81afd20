import { Item } from '../../../items/json/item-json.js';
import type { Context, Done } from '../../../session/context/context.js';
import { allWays, installedAs } from './installed.js';

/** `cops update`: prints the command to run; the program never updates itself. */
export async function run(context: Context): Promise<Done> {
  const { format, query } = await context.settings();
  const { program, version } = context.world;
  const installed = installedAs(program);
  const ways = installed ? [installed] : allWays();
  const commands = ways.map(({ command }) => command);
  if (format !== 'table' || query !== undefined) {
    const found = { installed_as: installed?.as ?? null, file: program?.path ?? null };
    return { result: { shape: 'one', item: Item.of({ version, ...found, commands }) } };
  }
  const width = Math.max(...ways.map(({ by }) => by.length));
  const text = [
    `This is cops ${version}. It never updates itself: update it the way you installed it.`,
    ...(installed && program ? [`Installed as ${program.path}`] : []),
    ...ways.map(({ by, command }) => `  ${`${by}:`.padEnd(installed ? 0 : width + 2)} ${command}`),
    'CHANGELOG.md lists the changes. Settings, keys, history and journals are kept.',
    '',
  ];
  return { result: { shape: 'text', text: text.join('\n') } };
}
