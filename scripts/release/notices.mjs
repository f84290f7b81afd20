// THIRD-PARTY-NOTICES: the texts of the licences of all that is inside, which have to go with every copy.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const LICENCE_FILE = /^(licen[cs]e|copying|notice)([-._].*)?$/i;
const LINE = '='.repeat(78);

/**
 * The notices for the packages whose files are in a bundle; `inputs` are the paths of these files, below `root`.
 * `others` are `[title, text]` of what is no package: Node.
 * @throws when a package has no text of a licence: it may not be handed out then.
 */
export function noticesOf(root, inputs, others = []) {
  const folders = [...new Set(inputs.map(folderOf).filter(Boolean))].sort();
  const without = [];
  const packages = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'));
    const files = readdirSync(path.join(root, folder)).filter((file) => LICENCE_FILE.test(file));
    if (files.length === 0) without.push(`${name}@${version} (${license})`);
    const texts = files.sort().map((file) => readFileSync(path.join(root, folder, file), 'utf8').trim());
    return [`${name} ${version} (${license})`, texts.join('\n\n')];
  });
  if (without.length > 0) throw new Error(`no text of a licence: ${without.join(', ')}`);
  const intro = 'cops holds the works below. Each is followed by its licence.\n';
  return [intro, ...[...packages, ...others].map(([title, text]) => `${LINE}\n${title}\n${LINE}\n\n${text.trim()}\n`)]
    .join('\n')
    .replaceAll('\r\n', '\n');
}

/** Folder of the package that a file belongs to; undefined for a file of our own. */
export function folderOf(file) {
  const parts = file.replaceAll('\\', '/').split('/');
  const at = parts.lastIndexOf('node_modules');
  if (at < 0) return undefined;
  return parts.slice(0, at + (parts[at + 1].startsWith('@') ? 3 : 2)).join('/');
}
