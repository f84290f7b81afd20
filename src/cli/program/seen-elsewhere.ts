import { existsSync } from 'node:fs';
import { accountRecords } from '../../account/account-records.js';
import type { Mode } from '../../account/profiles/types.js';
import { idCacheWanted, readIds } from '../../account/seen-ids/ids.js';
import { CopsError } from '../../base/errors/errors.js';
import { cops, say } from '../../base/text/command-line.js';
import { FAMILY_INDEX, familyByCommand } from '../../catalogue/index.js';
import { looksLikeId } from '../../catalogue/value-formats.js';
import { ownMirror, readMirror, teamInUse } from '../../data/mirror/own-mirror.js';
import type { Context } from '../../session/context/context.js';

/** The error for an id that the service does not know, with the other family or mode in which this machine has seen it. */
export async function withSeen(context: Context, error: CopsError): Promise<CopsError> {
  const id = context.world.argv.find(looksLikeId);
  const seen = id === undefined ? undefined : await seenAs(context, id).catch(() => undefined);
  if (id === undefined || !seen) return error;
  const { mode } = await context.profile();
  const asked = familyByCommand(context.command.split(' ')[0] ?? '')?.name;
  if (seen.family === asked && seen.mode === mode.value) return error;
  const command = seen.family.replaceAll('_', '-');
  const line = cops`${command} get ${id}`;
  const aimed = seen.mode === mode.value ? line : line.in(context.options.profile, seen.mode);
  const told = say`${id} belongs to ${command} in ${seen.mode} mode, ${seen.from}: ${aimed}`;
  const { hint } = error.facts;
  return new CopsError(error.kind, error.message, { ...error.facts, hint: hint ? say`${told}\n${hint}` : told });
}

/** Looks through the lists shown before, the mode in use first, then the history, then the mirror, or a team's replica. */
async function seenAs(context: Context, id: string) {
  const { name, mode, baseUrl, idCache } = await context.profile();
  const modes = [mode.value, mode.value === 'live' ? 'test' : 'live'] as const;
  if (idCache.value && idCacheWanted(context.world.env))
    for (const one of modes)
      for (const { name: family } of FAMILY_INDEX) {
        const place = { dataDir: context.dataDir, profile: name.value, mode: one };
        const found = readIds(place, family).find((kept) => kept.id === id);
        if (found) return { family, mode: one, from: `shown here before${found.name && ` (${found.name})`}` };
      }
  const history = await accountRecords(context).history();
  try {
    for await (const { operation, ids, outcome, base_url, mode: its, time } of history.list({ unknownOnly: false })) {
      const family = familyByCommand(operation.split(' ')[0] ?? '')?.name;
      if (ids[0] === id && family && outcome === 'done' && base_url === baseUrl.value)
        return { family, mode: its as Mode, from: `according to the history (${operation}, ${time})` };
    }
  } finally {
    await history.close();
  }
  const file = (await teamInUse(context))?.file ?? (await ownMirror(context));
  if (!existsSync(file)) return undefined;
  return readMirror(context, file, ({ database }) => {
    const tables = database.prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'raw\\_%' ESCAPE '\\'",
    );
    const names = tables.all().map(([table]) => String(table));
    const table = names.find((one) => database.prepare(`SELECT 1 FROM "${one}" WHERE id = ?`).get(id) !== undefined);
    if (table === undefined) return undefined;
    return { family: table.slice('raw_'.length), mode: mode.value, from: 'according to the mirror' };
  });
}
