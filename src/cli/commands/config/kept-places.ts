import { statSync } from 'node:fs';
import { join } from 'node:path';
import { holdingsOf, KEPT_KINDS } from '../../../account/kept-files.js';
import { itemsOf } from '../../../items/json/item-json.js';
import type { Result } from '../../../screen/types.js';
import type { Context } from '../../../session/context/context.js';
import { installedScripts } from '../../completion/installed-scripts.js';

/** `config files`: every place where cops keeps files, what they contain, and whether they are safe to delete. */
export async function configFiles(context: Context): Promise<Result> {
  const folders = { config: context.configDir, data: context.dataDir };
  const { files, others } = await holdingsOf(context);
  const labels = [...new Set(KEPT_KINDS.map(({ label }) => label))];
  const rows = labels.map((label) => {
    const kind = KEPT_KINDS.find((one) => one.label === label);
    const own = files.filter((file) => file.label === label);
    const { in: place = 'data', what = '', delete: may = 'no', loss = '' } = kind ?? {};
    return {
      name: label,
      ...sizeOf(own),
      delete: may,
      holds: `${what}; if deleted, ${loss}`,
      path: join(folders[place], label),
    };
  });
  const foreign = { holds: 'not created by cops, and not needed by it' };
  for (const path of installedScripts(context))
    rows.push({
      ...{ name: 'completion', ...sizeOf([{ bytes: statSync(path).size }]), delete: 'yes' },
      ...{ holds: 'shell completion; if deleted, `cops completion install` writes it again', path },
    });
  for (const path of others) rows.push({ name: 'other', files: 1, bytes: null, delete: 'yes', ...foreign, path });
  context.notes.note(`Configuration: ${folders.config} (COPS_CONFIG_DIR moves it).`);
  context.notes.note(`Data: ${folders.data} (COPS_DATA_DIR moves it).`);
  context.notes.note('Exports, set-ups and other files that you name are stored where you say.');
  const columns = [{ path: 'name' }, { path: 'bytes' }, { path: 'delete' }, { path: 'holds', as: 'prose' }] as const;
  return { shape: 'list', items: itemsOf(rows), columns, idField: 'path' };
}

function sizeOf(files: readonly { readonly bytes: number }[]): { files: number; bytes: number | null } {
  return { files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
}
