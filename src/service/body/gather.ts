import { CopsError, type Fault, faultsError, local } from '../../base/errors/errors.js';
import type { Text } from '../../base/text/command-line.js';
import { bodyFieldAt, bodyFields, isOpenBody } from '../../catalogue/body-fields.js';
import type { Field, Operation } from '../../catalogue/types.js';
import { countryCode } from '../../catalogue/value-formats.js';
import { JsonSyntaxFault, parseJson } from '../../items/json/parse-json.js';
import {
  copy,
  isObject,
  NumberText,
  ownMember,
  pathText,
  type Tree,
  type TreeObject,
  walk,
} from '../../items/json/tree.js';
import { isSecretPath, secretPlaces, secretsToAsk } from '../../items/secrets/secret-fields.js';
import {
  type Assignment,
  type BodyClock,
  holesOf,
  instantOf,
  looksLikeJson,
  PathFault,
  parseAssignment,
  setAt,
  settleSums,
  takesMoment,
  typedValue,
  ValueFault,
} from './data-path.js';
import { decodeText, oneStdinReader } from './input-text.js';
import { parseYaml, YamlFault } from './parse-yaml.js';
import { QUOTING_HINT } from './quoting-help.js';

/** The sources of a body; later ones override earlier ones (command-line.md#bodies). */
export interface BodySources {
  /** An existing body (`edit --editor`, a bulk row), overridden by everything else. */
  readonly base?: TreeObject;
  /** The value of `--body`: JSON, `@file`, or `-`. */
  readonly body?: string;
  /** The values of `-d`, in order. */
  readonly data?: readonly string[];
  /** Typed options by field name: the text after `--name`, or a boolean for a switch. */
  readonly typed?: Readonly<Record<string, string | boolean>>;
}

/** The effects that building a body needs, passed in. A file that cannot be read is a local error (exit code 11). */
export interface BodyIo {
  readFile(path: string): Promise<Uint8Array>;
  readStdin(): Promise<Uint8Array>;
  /**
   * Asks for a secret with a masked prompt where a person can answer: a card without its number, a captcha without its
   * secret key. An empty answer leaves it unset.
   */
  askSecret?(path: string): Promise<string>;
  /** If set, dates are accepted where the service wants a moment. */
  readonly clock?: BodyClock;
}

export interface GatheredBody {
  readonly body: TreeObject;
  /** What the operator should know: duplicate names, texts that look like numbers. */
  readonly notes: readonly string[];
  /** False when no source gave a body; it is then `{}`. */
  readonly given: boolean;
  /** An idempotency key in the body itself, which is the user's own (service.md#idempotency). */
  readonly ownKey?: string;
}

const FILE_HINT = 'A text that begins with @ names a file; for the text itself write @@.';

/** Larger than any body the service accepts (a full assistant flow is about 5 MB). */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Builds a body from `--body`, `-d` and typed options, without checking it against the schema. Throws a usage error
 * (exit code 2) that lists all faults: unreadable texts, bad paths, values of the wrong type, secrets on the command
 * line, two readers of standard input. Throws a local error (exit code 11) when a file cannot be read.
 */
export async function gatherBody(operation: Operation, sources: BodySources, io: BodyIo): Promise<GatheredBody> {
  oneStdinReader({ body: sources.body, data: sources.data ?? [] });
  return new Gatherer(operation, io).gather(sources);
}

class Gatherer {
  readonly #faults: Fault[] = [];
  readonly #notes: string[] = [];
  /** Secrets given on the command line: refused even when a later source replaces them. */
  readonly #leaks = new Set<string>();
  /** Places whose value came from the command line. */
  readonly #inline = new Set<string>();

  constructor(
    private readonly operation: Operation,
    private readonly io: BodyIo,
  ) {}

  async gather(sources: BodySources): Promise<GatheredBody> {
    let body: TreeObject = sources.base ? (copy(sources.base) as TreeObject) : {};
    if (sources.body !== undefined) body = { ...body, ...(await this.#whole(sources.body)) };
    for (const text of sources.data ?? []) await this.#assign(body, text);
    for (const [name, value] of Object.entries(sources.typed ?? {})) this.#typed(body, name, value);
    for (const hole of holesOf(body))
      this.#faults.push({ path: hole, message: 'is missing: give each place of a list' });
    this.#settleValues(body);
    this.#faults.push(...settleSums(this.operation, body, sources.base));
    this.#lateLeaks(body);
    const asks = this.io.askSecret ? ', or leave it out and cops asks for it' : '';
    for (const path of this.#leaks) {
      this.#faults.push({
        path,
        message: `a secret is never taken from the command line: use ${path}=@file, --body @file or standard input${asks}`,
      });
    }
    if (this.#faults.length > 0)
      throw faultsError('The body cannot be built', this.#faults, 'Nothing was sent. --help shows the fields.');
    await this.#ask(body);
    const ownKey = ownMember(body, 'idempotency_key');
    const given = Object.values(sources).some((source) => source !== undefined && Object.keys(source).length > 0);
    return { body, notes: this.#notes, given, ownKey: typeof ownKey === 'string' ? ownKey : undefined };
  }

  async #ask(body: TreeObject): Promise<void> {
    if (!this.io.askSecret) return;
    for (const place of secretsToAsk(this.operation, body)) {
      const typed = (await this.io.askSecret(pathText(place))).trim();
      const isNumber = bodyFieldAt(this.operation, place).field?.format === 'digits';
      const answer = isNumber ? typed.replace(/[\s-]/g, '') : typed;
      if (answer !== '') setAt(body, place, answer);
    }
  }

  async #whole(source: string): Promise<TreeObject> {
    if (source === '-' || source === '@-') return this.#object(await this.#stdin(), 'standard input', false);
    if (source.startsWith('@')) {
      const path = source.slice(1);
      return this.#object(await this.#file(path), path, /\.ya?ml$/i.test(path));
    }
    const file = /^[^{}[\]"]+\.(?:json|ya?ml)$/i.test(source) ? await this.#meantFile(source) : undefined;
    if (file !== undefined) return this.#object(file, source, /\.ya?ml$/i.test(source));
    const body = await this.#object(source, '--body', false);
    this.#origin(body, [], true);
    return body;
  }

  /** The text of an existing file named without its @: a file name is not JSON, so it can mean nothing else. */
  async #meantFile(name: string): Promise<string | undefined> {
    try {
      const text = decodeText(await this.io.readFile(name), name);
      this.#notes.push(`--body ${name} is read as --body @${name}.`);
      return text;
    } catch {
      return undefined;
    }
  }

  async #object(text: string, name: string, yaml: boolean): Promise<TreeObject> {
    const value = await this.#parse(text, name, yaml);
    if (isObject(value)) return value;
    if (value !== undefined) this.#faults.push({ path: '', message: `${name} must hold an object ({...})` });
    return {};
  }

  /** The parsed text; undefined after a fault. */
  async #parse(text: string, name: string, yaml: boolean): Promise<Tree | undefined> {
    try {
      if (yaml) return await parseYaml(text);
      const parsed = parseJson(text);
      for (const path of parsed.duplicates) this.#faults.push({ path, message: `is given twice in ${name}` });
      return parsed.value;
    } catch (fault) {
      if (!(fault instanceof JsonSyntaxFault || fault instanceof YamlFault)) throw fault;
      const inline = name === '--body' || name.startsWith('-d ');
      const hint = inline ? ` ${QUOTING_HINT}` : '';
      this.#faults.push({
        path: '',
        message: `${name} is not valid ${yaml ? 'YAML' : 'JSON'}: ${fault.message}.${hint}`,
      });
      return undefined;
    }
  }

  async #assign(body: TreeObject, text: string): Promise<void> {
    const assignment = this.#guarded('-d', () => parseAssignment(text));
    if (!assignment) return;
    const value = await this.#value(assignment);
    if (value === undefined) return;
    this.#guarded(assignment.path, () => {
      const parts = setAt(body, assignment.steps, value.tree);
      this.#origin(value.tree, parts, value.inline);
    });
  }

  async #value(assignment: Assignment): Promise<{ tree: Tree; inline: boolean } | undefined> {
    const { path, json, value } = assignment;
    const escaped = value.startsWith('@@');
    if (value.startsWith('@') && !escaped) {
      const name = value === '@-' ? 'standard input' : value.slice(1);
      const text = value === '@-' ? await this.#stdin() : await this.#file(name, FILE_HINT);
      if (json) {
        const tree = await this.#parse(text, name, /\.ya?ml$/i.test(name));
        return tree === undefined ? undefined : { tree, inline: false };
      }
      return this.#typedText(assignment, text, false);
    }
    if (json) {
      const tree = await this.#parse(value, `-d ${path}`, false);
      return tree === undefined ? undefined : { tree, inline: true };
    }
    return this.#typedText(assignment, escaped ? value.slice(1) : value, true);
  }

  #typedText(assignment: Assignment, text: string, inline: boolean): { tree: Tree; inline: boolean } | undefined {
    const { path, steps } = assignment;
    const parts = steps.map((step) => (typeof step === 'object' ? 0 : step));
    const known = bodyFieldAt(this.operation, parts);
    // The newline that editors add at the end of a file does not belong to a number, an id or a secret.
    const exact =
      !inline && known.field?.type === 'string' && !known.field.format && !isSecretPath(this.operation, parts);
    const written = inline || exact ? text : text.replace(/\s+$/, '');
    if (inline && isSecretPath(this.operation, parts)) {
      this.#leaks.add(path);
      return undefined;
    }
    const tree = this.#guarded(path, () => this.#fieldValue(known.field, written, path));
    if (tree === undefined) return undefined;
    const unknown = !known.field || known.field.type === 'any';
    if (unknown && known.open && inline && looksLikeJson(written))
      this.#notes.push(`${path} has no known type and is sent as text; write ${path}:=... for anything else.`);
    return { tree, inline };
  }

  #typed(body: TreeObject, name: string, value: string | boolean): void {
    const field = bodyFields(this.operation)[name];
    if (!field && !isOpenBody(this.operation)) {
      this.#faults.push({ path: name, message: 'is not a field of this operation' });
      return;
    }
    if (isSecretPath(this.operation, [name])) {
      this.#leaks.add(name);
      return;
    }
    const tree = typeof value === 'boolean' ? value : this.#guarded(name, () => this.#fieldValue(field, value, name));
    if (tree !== undefined) body[name] = tree;
  }

  #fieldValue(field: Field | undefined, text: string, path: string): Tree {
    const instant =
      this.io.clock && field && takesMoment(field) ? instantOf(field, text, this.io.clock, path) : undefined;
    if (!instant) {
      const value = typedValue(field, text, path);
      if (value instanceof NumberText && value.text !== text.trim())
        this.#notes.push(`${path}: "${text.trim()}" is read as ${value.text}.`);
      if (field?.format === 'country' && value !== text)
        this.#notes.push(`${path}: "${text.trim()}" is read as ${value}.`);
      if (Array.isArray(value)) this.#notes.push(`${path} is a list: only this element is sent.`);
      return value;
    }
    this.#notes.push(`${path}: ${instant.note}`);
    return instant.tree;
  }

  /**
   * Reads the values of a whole body as on the command line: days where the service wants moments, countries by name.
   */
  #settleValues(body: TreeObject): void {
    const { clock } = this.io;
    const settled: [readonly (string | number)[], Tree][] = [];
    walk(body, (place, value) => {
      const { field } = bodyFieldAt(this.operation, place);
      if (typeof value !== 'string' || !field) return;
      // People copy card numbers with spaces between groups of digits.
      const digits = value.replace(/[\s-]/g, '');
      if (field.format === 'digits' && digits !== value && /^\d+$/.test(digits)) settled.push([[...place], digits]);
      const code = field.format === 'country' ? countryCode(value) : undefined;
      if (code !== undefined && code !== value) {
        settled.push([[...place], code]);
        this.#notes.push(`${pathText(place)}: "${value.trim()}" is read as ${code}.`);
      }
      const instant = clock && takesMoment(field) ? instantOf(field, value, clock, pathText(place)) : undefined;
      if (!instant) return;
      settled.push([[...place], instant.tree]);
      this.#notes.push(`${pathText(place)}: ${instant.note}`);
    });
    for (const [place, tree] of settled) setAt(body, place, tree);
  }

  /** Records where a value in the body came from; secrets from the command line are leaks. */
  #origin(value: Tree, parts: readonly (string | number)[], inline: boolean): void {
    const root: TreeObject = {};
    if (parts.length > 0) setAt(root, parts, value);
    else if (isObject(value)) Object.assign(root, value);
    const place = pathText(parts);
    for (const path of this.#inline) if (isWithin(path, place)) this.#inline.delete(path);
    if (!inline) return;
    walk(root, (inside) => this.#inline.add(pathText(inside)));
    for (const secret of secretPlaces(this.operation, root)) this.#leaks.add(pathText(secret));
  }

  /** Secrets recognisable only in the whole body: a variable may be declared encrypted after its value was given. */
  #lateLeaks(body: TreeObject): void {
    for (const place of secretPlaces(this.operation, body))
      if (this.#inline.has(pathText(place))) this.#leaks.add(pathText(place));
  }

  #guarded<T>(path: string, work: () => T): T | undefined {
    try {
      return work();
    } catch (fault) {
      if (!(fault instanceof PathFault || fault instanceof ValueFault)) throw fault;
      this.#faults.push({ path, message: fault.message });
      return undefined;
    }
  }

  async #stdin(): Promise<string> {
    return readText(this.io, '-');
  }

  async #file(path: string, hint?: Text): Promise<string> {
    if (path === '')
      throw faultsError('The body cannot be built', [{ path: '', message: 'a file name is missing after "@"' }]);
    return readText(this.io, path, hint);
  }
}

/**
 * The text of a file, or of standard input for `-`. Throws a local error (exit code 11), with `hint`, for a file that
 * cannot be read or is not text.
 */
export async function readText(io: Pick<BodyIo, 'readFile' | 'readStdin'>, path: string, hint?: Text): Promise<string> {
  const name = path === '-' ? 'standard input' : path;
  try {
    const bytes = await (path === '-' ? io.readStdin() : io.readFile(path));
    if (bytes.length > MAX_BYTES) throw local(`${name} is larger than 64 MB`);
    return decodeText(bytes, name);
  } catch (error) {
    throw hint !== undefined && error instanceof CopsError ? local(error.message, hint, error.facts.cause) : error;
  }
}

/** True when `path` is the place itself or below it. */
function isWithin(path: string, place: string): boolean {
  return place === '' || path === place || path.startsWith(`${place}.`) || path.startsWith(`${place}[`);
}
