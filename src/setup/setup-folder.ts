import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CopsError, local, orLocal, orThrow, usage } from '../base/errors/errors.js';
import { orMeant } from '../base/errors/nearest.js';
import { cops, say } from '../base/text/command-line.js';
import type { TextPlace } from '../items/json/parse-json.js';
import { isObject, ownMember, type Tree } from '../items/json/tree.js';
import { decodeText } from '../service/body/input-text.js';
import { type ReadYaml, readYaml, YamlFault } from '../service/body/parse-yaml.js';
import { checkFolder, faultAt } from './check-folder.js';
import { addressOf, type Families, type Managed } from './families.js';
import { isCompanion, readWithin, UnfitFile } from './folder-files.js';
import { namedAnew } from './renamed.js';
import { resolveTree } from './resolve-references.js';
import { NO_SETTINGS, parseSettings, SETTINGS_FILE, type SetupSettings } from './setup-settings.js';
import { keyOfItem } from './shape-references.js';
import type { FileFault, FileObject, Folder } from './types.js';
import { type Variable, variableText } from './variables.js';

export interface ReadFolderOptions {
  readonly families: Families;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether a variable holds a secret, whose value no file may show. */
  readonly isSecret: (name: string) => boolean;
  /** `profile:mode`; undefined for a check that covers all environments. */
  readonly environment?: string | undefined;
}

/** Reads a set-up folder and collects every fault of every file. @throws CopsError local (11) when it cannot be read */
export async function readFolder(path: string, options: ReadFolderOptions): Promise<Folder> {
  const faults: FileFault[] = [];
  const reading = new FolderReading(path, options, faults);
  const settings = await reading.settings();
  const { objects, families } = await reading.objects(settings);
  const byAddress = new Map<string, FileObject>();
  for (const object of objects) {
    const twin = byAddress.get(object.address);
    if (twin)
      faults.push(faultAt(object, [], `${object.address} is also in ${twin.file}: an object can have only one file`));
    else byAddress.set(object.address, object);
  }
  const folder = { path, settings, objects: namedAnew(byAddress), families, named: reading.named, faults };
  faults.push(...(await checkFolder(folder, options.families)));
  faults.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line));
  return folder;
}

/** The error of a folder with faults (exit code 2), each with file, line and column. */
export function folderError(folder: Pick<Folder, 'faults'>): CopsError | undefined {
  const { faults } = folder;
  if (faults.length === 0) return undefined;
  const placed = faults.map((fault) => ({ ...fault, at: `${fault.file}:${fault.line}:${fault.column}` }));
  const lines = placed.map(({ at, path, message }) => `  ${at}: ${path === '' ? '' : `${path}: `}${message}`);
  const count = `${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}`;
  return usage(
    `The set-up has ${count}, nothing was sent:\n${lines.join('\n')}`,
    undefined,
    placed.map(({ at, path, message }) => ({ path: `${at} ${path}`.trim(), message })),
  );
}

/** In a name: nobody could type or recognise it. */
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

const START: TextPlace = { line: 1, column: 1 };

class FolderReading {
  /** Files next to objects that an object names. */
  readonly named = new Set<string>();

  constructor(
    private readonly path: string,
    private readonly options: ReadFolderOptions,
    private readonly faults: FileFault[],
  ) {}

  async settings(): Promise<SetupSettings> {
    const read = await this.#yaml(SETTINGS_FILE);
    if (read === undefined) return NO_SETTINGS;
    const known = new Set(this.options.families.managed.keys());
    return parseSettings(read.value ?? {}, known, (parts, message) =>
      this.#fault(SETTINGS_FILE, message, read.placeOf(parts), parts),
    );
  }

  #fault(
    file: string,
    message: string,
    { line, column } = START,
    parts: readonly (string | number)[] = [],
    isGone?: boolean,
  ): undefined {
    this.faults.push({ file, line, column, path: parts.join('.'), message, isGone });
  }

  async objects(settings: SetupSettings): Promise<{ objects: FileObject[]; families: Set<string> }> {
    const names = await entries(this.path);
    const objects: FileObject[] = [];
    const families = new Set<string>();
    for (const name of names) {
      const isFolder = await stat(join(this.path, name)).then(
        (facts) => facts.isDirectory(),
        () => false,
      );
      if (!isFolder || name.startsWith('.')) continue;
      const managed = this.options.families.managed.get(name);
      if (!managed) {
        this.#strange(name);
        continue;
      }
      families.add(name);
      const files = (await entries(join(this.path, name))).filter((file) => !file.startsWith('.'));
      for (const file of files.filter((one) => !isCompanion(one))) {
        const object = await this.#object(managed, `${name}/${file}`, settings);
        if (object) objects.push(object);
      }
      for (const file of files.filter(isCompanion)) this.#unnamed(`${name}/${file}`);
    }
    return { objects, families };
  }

  /** Otherwise a folder that looks like a family but is none would silently be ignored. */
  #strange(name: string): void {
    const { managed, external, unmanaged } = this.options.families;
    const known = [...managed.keys(), ...external.keys(), ...unmanaged.map((one) => one.name)];
    const word = name.replaceAll('_', '-');
    const near = orMeant(word, known);
    if (near === '' && !known.includes(word)) return;
    this.#fault(name, known.includes(name) ? 'cannot be kept as files (cops setup graph)' : `is no family${near}`);
  }

  /** The same goes for an object whose file name is invalid. */
  #unnamed(file: string): void {
    if (!/\.ya?ml$/i.test(file) || this.named.has(file)) return;
    this.#fault(
      file,
      "is named by no object, and is not an object's own file: those are named <name>.yaml, without a dot",
    );
  }

  async #object(managed: Managed, file: string, settings: SetupSettings): Promise<FileObject | undefined> {
    const read = await this.#yaml(file);
    if (read === undefined) return undefined;
    const fault = (parts: readonly (string | number)[], message: string, isGone?: boolean): undefined =>
      this.#fault(file, message, read.placeOf(parts), parts, isGone);
    if (!isObject(read.value)) return fault([], 'must contain an object: names with their values');
    const tree = await resolveTree(managed, read.value, {
      valueOf: (variable) => this.#valueOf(variable, settings),
      unset: (variable) => this.#unset(variable),
      fault,
      text: (name) => {
        this.named.add(`${managed.name}/${name}`);
        return readCompanion(this.path, `${managed.name}/${name}`);
      },
    });
    const { _id, _was, _unmanaged: _rest, ...shape } = tree;
    const key = keyOfItem(managed, shape);
    if (key === undefined) return fault([], `has no ${managed.keyField ?? 'name'}, which identifies the object`);
    if (CONTROL.test(key)) fault([managed.keyField ?? ''], 'has control characters or line breaks');
    return {
      address: addressOf(managed.name, key),
      managed,
      key,
      file,
      shape,
      pinned: pinOf(_id, this.options.environment, fault),
      was: typeof _was === 'string' ? _was : undefined,
      placeOf: (parts) => ({ file, ...read.placeOf(parts) }),
    };
  }

  #unset(variable: Variable): string {
    const { kind, name } = variable;
    const isHidden = kind === 'env' && this.options.isSecret(name);
    const why = isHidden ? `contains a secret, which a plan would show: write \${secret.env:${name}}` : 'is not set';
    return `${variableText(variable)} ${why}`;
  }

  #valueOf({ kind, name }: Variable, settings: SetupSettings): string | undefined {
    const { env, environment } = this.options;
    if (kind === 'env') return this.options.isSecret(name) ? undefined : env[name];
    const own = environment === undefined ? undefined : settings.environments[environment]?.[name];
    // A check for no particular environment takes the value from any.
    const any = Object.values(settings.environments).find((vars) => Object.hasOwn(vars, name))?.[name];
    return own ?? settings.vars[name] ?? (environment === undefined ? any : undefined);
  }

  async #yaml(file: string): Promise<ReadYaml | undefined> {
    try {
      return await readYaml(decodeText(await readWithin(this.path, file), file));
    } catch (error) {
      if (error instanceof UnfitFile)
        return file === SETTINGS_FILE && error.code === 'ENOENT' ? undefined : this.#fault(file, error.message);
      if (error instanceof YamlFault) return this.#fault(file, error.message.replace(/ \(line.*\)$/, ''), error.at);
      if (error instanceof CopsError) return this.#fault(file, error.message);
      throw local(`cannot read ${join(this.path, file)}: ${(error as Error).message}`, undefined, error);
    }
  }
}

/**
 * The text of a file next to an object, byte for byte.
 * @throws UnfitFile where none exists
 */
async function readCompanion(root: string, file: string): Promise<string> {
  const bytes = await readWithin(root, file);
  return orThrow(
    () => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
    () => new UnfitFile('is not UTF-8 text'),
  );
}

async function entries(path: string): Promise<readonly string[]> {
  return await orLocal(
    async () => {
      return (await readdir(path)).sort();
    },
    `cannot read the set-up folder ${path}`,
    say`Make one with: ${cops`setup init`}`,
  );
}

function pinOf(
  value: Tree | undefined,
  environment: string | undefined,
  fault: (parts: readonly (string | number)[], message: string) => void,
): string | undefined {
  if (value === undefined) return undefined;
  if (isObject(value)) {
    const own = environment === undefined ? undefined : ownMember(value, environment);
    return typeof own === 'string' ? own : undefined;
  }
  if (typeof value === 'string') return value;
  fault(['_id'], 'must be an id, or ids by environment (acme:live: …)');
  return undefined;
}
