import type { Context } from '../../command/context.js';
import type { Done } from '../../command/run.js';
import { Item } from '../../json/item.js';

/** `cops update`: says how; the program never changes itself. */
export async function run(context: Context): Promise<Done> {
  const { format, query } = await context.settings();
  const commands = ['npm install -g cops', 'git pull && npm ci'];
  if (format !== 'table' || query !== undefined)
    return { result: { shape: 'one', item: Item.of({ version: context.world.version, commands }) } };
  const text = [
    `This is cops ${context.world.version}. It never changes itself.`,
    `  Installed with npm:       ${commands[0]}`,
    `  From a checkout of git:   ${commands[1]}`,
    'What is new stands in CHANGELOG.md. Settings, keys, history and journals stay as they are.',
    '',
  ];
  return { result: { shape: 'text', text: text.join('\n') } };
}
