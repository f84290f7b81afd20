// THIRD-PARTY-NOTICES: the licence texts of everything inside, which must accompany every copy.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const LICENCE_FILE = /^(licen[cs]e|copying|notice)([-._].*)?$/i;
const README_FILE = /^readme(\..*)?$/i;
const LICENCE_HEADING = /^#+[ \t]*licen[cs]e[ \t]*$/im;
const LINE = '='.repeat(78);

/**
 * The notices for the packages in a bundle; `inputs` are the paths of its files, relative to `root`. `others` are
 * `[title, text]` pairs for parts that are not packages: Node.
 * @throws when a package has no licence text: it must not be distributed then.
 */
export function noticesOf(root, inputs, others = []) {
  const folders = [...new Set(inputs.map(folderOf).filter(Boolean))].sort();
  const without = [];
  const packages = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'));
    const texts = licencesIn(path.join(root, folder));
    if (texts.length === 0) without.push(`${name}@${version} (${license})`);
    return [`${name} ${version} (${license})`, texts.join('\n\n')];
  });
  if (without.length > 0) throw new Error(`no licence text: ${without.join(', ')}`);
  const intro = 'cops holds the works below. Each is followed by its licence.\n';
  return [intro, ...[...packages, ...others].map(([title, text]) => `${LINE}\n${title}\n${LINE}\n\n${text.trim()}\n`)]
    .join('\n')
    .replaceAll('\r\n', '\n');
}

/** A package's licence texts: separate files, else the last section of its README. */
function licencesIn(folder) {
  const names = readdirSync(folder).sort();
  const read = (name) => readFileSync(path.join(folder, name), 'utf8').trim();
  const files = names.filter((name) => LICENCE_FILE.test(name));
  if (files.length > 0) return files.map(read);
  return names
    .filter((name) => README_FILE.test(name))
    .flatMap((name) => read(name).split(LICENCE_HEADING).slice(1).at(-1) ?? [])
    .map((text) => text.trim())
    .filter((text) => /copyright/i.test(text) && /permission|redistribution/i.test(text));
}

/** Folder of the package that a file belongs to; undefined for our own files. */
export function folderOf(file) {
  const parts = file.replaceAll('\\', '/').split('/');
  const at = parts.lastIndexOf('node_modules');
  if (at < 0) return undefined;
  return parts.slice(0, at + (parts[at + 1].startsWith('@') ? 3 : 2)).join('/');
}
