/** @module-tag sweep */
/** A live write by a name is refused with whole lines that, typed, do just what was asked (command-line.md#writes). */
import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { allFamilies } from '../../../src/catalogue/index.js';
import type { Family, Operation } from '../../../src/catalogue/types.js';
import { pathParameters } from '../../../src/service/request/request-plan.js';
import { laySandbox, SOME } from '../../harness/seeded.js';
import { errorOf, home, json } from '../helpers.js';

interface Item {
  readonly id: string;
  readonly status?: string;
  readonly email?: string;
  readonly customer?: { readonly email?: string };
}

const emailOf = (item: Item): string | undefined => item.email ?? item.customer?.email;

/** The words of a line as a shell would split them. */
const split = (line: string): string[] =>
  [...line.matchAll(/(?:[^\s']|'[^']*')+/g)].map(([word]) => word.replaceAll("'", ''));

/** What the example of an operation says besides its id. */
function bodyOf({ example, action }: Operation): string[] {
  const words = split(example ?? '');
  return words.slice(1 + action.split(' ').length + 1);
}

const isNamed = ({ name, item }: Family): boolean =>
  name === 'customers' || item?.customer?.fields?.email !== undefined;

const FAMILIES = (await allFamilies()).filter(isNamed);

it.each(FAMILIES.map((family) => [family.name, family] as const))(
  '%s: whole lines that do just that',
  async (_, family) => {
    const there = home({ COPS_PROFILE: 'sandbox' });
    await laySandbox(there.env.COPS_DATA_DIR ?? '', Date.now(), SOME);
    const wrong: string[] = [];
    {
      const command = family.name.replaceAll('_', '-');
      const listed = await there.run([command, 'list', '--live', '--last', '1y', '-o', 'json', '-q']);
      if (listed.code !== 0) return;
      const byEmail = new Map<string, Item[]>();
      for (const item of json<Item[]>(listed))
        byEmail.set(emailOf(item) ?? '', [...(byEmail.get(emailOf(item) ?? '') ?? []), item]);
      byEmail.delete('');
      const one = [...byEmail].find(([, items]) => items.length === 1)?.[0];
      const many = [...byEmail].find(([, items]) => items.length > 1 && items.length < 9)?.[0];
      const writes = family.operations.filter(
        (operation) =>
          operation.method === 'POST' && operation.risk !== 'read' && pathParameters(operation).length === 1,
      );
      for (const operation of writes) {
        const rest = bodyOf(operation);
        for (const who of [one, many, 'nobody@nowhere.example']) {
          if (who === undefined) continue;
          const typed = [command, ...operation.action.split(' '), who, ...rest, '--live', '--yes'];
          const ran = await there.run([...typed, '-o', 'json']);
          if (ran.code === 0 && operation.risk !== 'write') wrong.push(`${typed.join(' ')}: done by a name`);
          const failed = errorOf(ran);
          const [hint, message] = [failed.hint ?? '', failed.message ?? ''];
          if (ran.code === 12 && !message.startsWith(`${command} ${operation.action} `))
            wrong.push(`${typed.join(' ')}: ${message}`);
          const lines = stripVTControlCharacters(hint)
            .split('\n')
            .flatMap((line) => /\bcops (.*)$/.exec(line)?.[1] ?? [])
            .filter((line) => line.includes(` ${operation.action} `) && !line.includes('<'));
          if (ran.code === 12 && lines.length === 0) wrong.push(`${typed.join(' ')}: no whole line: ${hint}`);
          for (const line of lines) {
            const shown = await there.run([...split(line), '--dry-run']);
            if (shown.code !== 0 || !line.includes('--live')) wrong.push(`${line}: ${shown.code} ${shown.stderr}`);
            else if (!shown.stdout.includes(`/${operation.path.split('/')[1]}/`))
              wrong.push(`${line}: ${shown.stdout}`);
          }
          // The first of them is done as well.
          const [first] = lines;
          const done = first === undefined ? undefined : await there.run(split(first));
          if (done && ![0, 1, 5].includes(done.code ?? -1)) wrong.push(`${first}: ${done.code} ${done.stderr}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  },
);
