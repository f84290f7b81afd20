import { local, orThrow, usage } from '../../base/errors/errors.js';
import { readGivenFile } from '../../base/files/read-file.js';
import { typedPath } from '../../base/files/typed-path.js';
import type { World } from '../../base/world.js';
import type { Operation } from '../../catalogue/types.js';
import type { TreeObject } from '../../items/json/tree.js';
import type { BodyClock } from '../../service/body/data-path.js';
import type { BodyIo } from '../../service/body/gather.js';
import type { Context } from '../context/context.js';
import { zoneInUse } from '../context/typed-words.js';

/** The longest body or list of ids on standard input, bytes. */
const MAX_INPUT = 256 * 1024 * 1024;

/** Files and standard input, which can be read once. @throws CopsError `local` for an unreadable file */
export function inputOf(world: World): BodyIo {
  return {
    async readFile(path) {
      if (path === '') throw usage('A file name is missing after "@".');
      const place = typedPath(world, path);
      return await orThrow(
        () => readGivenFile(place),
        (cause) => local(`${path} cannot be read: ${reason(cause)}.`, undefined, cause),
      );
    },
    async readStdin() {
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of world.stdin) {
        const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer);
        size += bytes.length;
        if (size > MAX_INPUT) throw local('Standard input is larger than 256 MB.');
        chunks.push(bytes);
      }
      return Buffer.concat(chunks);
    },
  };
}

/** The clock for reading the dates of a body. */
export async function clockOf(context: Context): Promise<BodyClock> {
  return { now: await context.now(), zone: await zoneInUse(context) };
}

function reason(cause: unknown): string {
  const code = (cause as { code?: unknown } | null)?.code;
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EISDIR') return 'it is a folder';
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied';
  return cause instanceof Error ? cause.message : String(cause);
}

/** The ids of a text, one per line, without surrounding spaces, JSON quotes and a byte order mark. */
export function idLines(text: string): string[] {
  return text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .map((line) => line.trim().replace(/^"([^"\\]*)"$/, '$1'))
    .filter((line) => line !== '');
}

/** Says what an edit replaces: a list in the request replaces the whole stored list. */
export function noteReplaced(context: Context, operation: Operation, body: TreeObject): void {
  if (operation.action !== 'edit' && !operation.action.endsWith(' edit')) return;
  for (const [field, value] of Object.entries(body)) {
    if (!Array.isArray(value)) continue;
    const rule = operation.rules.find((text) => text.includes(`\`${field}\``) && text.includes('replace'));
    const all = operation.rules.find((text) => /array that is sent replaces/i.test(text));
    context.notes.note(
      rule ?? all ?? `${field}: the list you send may replace the whole stored one, so send all of it.`,
    );
  }
}
