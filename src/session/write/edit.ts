import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { childEnvironment } from '../../account/profiles/command.js';
import { CopsError, faultsError, local, orElse, orLocal, orThrow, stopped, usage } from '../../base/errors/errors.js';
import { readOwnText, readThere } from '../../base/files/read-file.js';
import type { Text } from '../../base/text/command-line.js';
import { judgeBody } from '../../items/checks/body-faults.js';
import { indent } from '../../items/json/item-json.js';
import { JsonSyntaxFault, parseJson, parseWritten } from '../../items/json/parse-json.js';
import { isObject, serialise, type Tree, type TreeObject } from '../../items/json/tree.js';
import { askedFields, bodyChanges, itemToBody, removedFrom } from '../../service/body/body-changes.js';
import { decodeText } from '../../service/body/input-text.js';
import { planRequest } from '../../service/request/request-plan.js';
import type { Context, Done } from '../context/context.js';
import type { OperationInput } from '../operation/spec.js';
import { openReader } from '../read/reading.js';

/**
 * An edit in the operator's editor (command-line.md#bodies): opens the current item as its writable fields, and passes
 * the changed ones, and what they request, to `use`. A wrong text can be edited again. If the edit is not completed,
 * the text is stored and the operator learns where: nobody types a long body twice.
 */
export async function editWith(
  context: Context,
  input: OperationInput,
  idSets: readonly (readonly string[])[],
  use: (changes: TreeObject, asked: TreeObject) => Promise<Done>,
): Promise<Done> {
  const { notes } = context;
  const command = await editorOf(context, input, idSets);
  const { text, before } = await currentText(context, input, idSets[0] ?? []);
  const folder = await mkdtemp(join(tmpdir(), 'cops-edit-'));
  const path = join(folder, `${idSets[0]?.at(-1) ?? input.family.name}.json`);
  await writeFile(path, text, { mode: 0o600 });
  let keep = false;
  try {
    const editing = { command, path, before };
    const read = () => changesIn(context, input, editing);
    const changes = await editedUntilRight(context, editing, read, ({ kind }) => kind === 'usage');
    return await use(changes, askedFields(before, changes));
  } catch (error) {
    keep = orElse(() => readOwnText(path) !== text, false) && !(error instanceof NothingChanged);
    if (keep) notes.warn(`Your text is saved in ${path}`);
    throw error;
  } finally {
    if (!keep) await rm(folder, { recursive: true, force: true });
  }
}

class NothingChanged extends CopsError {}

/** The editor's command line, once it is clear that an editor can open. */
async function editorOf(
  context: Context,
  input: OperationInput,
  idSets: readonly (readonly string[])[],
): Promise<string> {
  const { options, typed } = input;
  if (options.body !== undefined || options.data !== undefined || Object.keys(typed).length > 0)
    throw usage('--editor cannot be combined with --body, -d or options for fields.');
  if (idSets.length > 1) throw usage('--editor opens one item: give one id.', 'For several, use -d or --body.');
  return editorSet(context, '--editor', 'In a script, give the changes with -d or --body.');
}

/**
 * The command line of the editor that is set, where a person is there to use it.
 * @param script what a script does in its place
 */
export async function editorSet(context: Context, what: string, script: Text): Promise<string> {
  if (!(await context.prompter()).canPrompt()) throw stopped(`${what} needs a terminal.`, script);
  const { VISUAL, EDITOR } = context.world.env;
  const command = VISUAL || EDITOR;
  if (!command) throw usage(`${what}: no editor is set.`, 'Set EDITOR, for example: export EDITOR=nano');
  return command;
}

async function currentText(
  context: Context,
  input: OperationInput,
  ids: readonly string[],
): Promise<{ text: string; before: TreeObject }> {
  const { family, operation } = input;
  const action = operation.action === 'edit' ? 'get' : operation.action.replace(/edit$/, 'get');
  const get = family.operations.find((candidate) => candidate.action === action);
  if (!get) throw usage(`${context.command}: the item cannot be read, so --editor has nothing to open.`);
  const reader = await openReader(context);
  if (context.options.dryRun) context.notes.note('The item is read for the editor, but the edit is not sent.');
  const before = itemToBody(operation, parseJson(await reader.answer(planRequest(family, get, { ids }))).value);
  return { text: `${indent(serialise(before))}\n`, before };
}

interface Editing {
  readonly command: string;
  readonly path: string;
  readonly before: TreeObject;
}

/** Opens the editor again until its text can be used, or the operator gives up. */
export async function editedUntilRight<T>(
  context: Context,
  editing: Pick<Editing, 'command' | 'path'>,
  read: () => Promise<T>,
  isWrong: (error: CopsError) => boolean = () => true,
): Promise<T> {
  const prompter = await context.prompter();
  for (;;) {
    await openEditor(context, editing);
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof CopsError) || !isWrong(error)) throw error;
      context.notes.warn(error.message);
      if (!(await prompter.confirm('Edit it again?'))) throw error;
    }
  }
}

/** What the edited text changes. Throws a usage error for a wrong text. */
async function changesIn(context: Context, input: OperationInput, editing: Editing): Promise<TreeObject> {
  const { before, path } = editing;
  const after = objectIn(textOf(orLocal(() => readThere(path), `The edited file cannot be read`, 'Nothing was sent.')));
  const changes = bodyChanges(before, after, input.operation.body?.fields);
  const removed = removedFrom(before, after);
  if (removed.length > 0) context.notes.warn(`Removed lines change nothing at the service: ${removed.join(', ')}.`);
  if (Object.keys(changes).length === 0) throw new NothingChanged('stopped', 'Nothing was changed: nothing was sent.');
  if (input.options.validate === false) return changes;
  const findings = await judgeBody(changes, { operation: input.operation, current: before });
  if (findings.faults.length > 0)
    throw faultsError(`${context.command}: the edited body has faults`, findings.faults, 'Nothing was sent.');
  for (const note of findings.notes) context.notes.note(note);
  return changes;
}

function textOf(bytes: Uint8Array): string {
  return orThrow(
    () => decodeText(bytes, 'The edited text'),
    (error) => (error instanceof CopsError ? usage(error.message) : error),
  );
}

function objectIn(text: string): TreeObject {
  if (text.trim() === '') throw new NothingChanged('stopped', 'The file was emptied: nothing was sent.');
  let value: Tree;
  try {
    value = parseWritten(text);
  } catch (fault) {
    if (!(fault instanceof JsonSyntaxFault)) throw fault;
    throw usage(`The edited text is not valid JSON: ${fault.message}.`, 'Nothing was sent.');
  }
  if (!isObject(value)) throw usage('The edited text must hold one JSON object ({...}).', 'Nothing was sent.');
  return value;
}

/** Runs the editor on this terminal. Meanwhile Ctrl-C belongs to it; SIGTERM ends both. */
async function openEditor(context: Context, { command, path }: Pick<Editing, 'command' | 'path'>): Promise<void> {
  if (context.world.confined) throw usage('A scenario cannot start an editor.');
  // The variable may contain arguments (`code --wait`), so a shell splits it; the path is a separate word. A shell
  // without a trap would die of the Ctrl-C that its editor survives.
  const words: [string, string[], { shell: boolean }] =
    platform() === 'win32'
      ? [`${command} "${path}"`, [], { shell: true }]
      : ['sh', ['-c', `trap : INT; ${command} "$1"`, 'sh', path], { shell: false }];
  const env = childEnvironment(context.world.env, context.configDir);
  const child = spawn(words[0], words[1], { ...words[2], stdio: 'inherit', cwd: context.world.cwd, env });
  const signals = new Set<'SIGINT' | 'SIGTERM'>();
  const undo = context.world.onSignal((signal) => {
    signals.add(signal);
    if (signal === 'SIGTERM') child.kill(signal);
  });
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on('error', (error) => reject(local(`The editor could not be started: ${error.message}`)));
      child.on('exit', resolve);
    });
    const ended = (exitCode: number) =>
      new CopsError('interrupted', 'Interrupted in the editor: nothing was sent.', { exitCode });
    if (signals.has('SIGTERM')) throw ended(143);
    if (code !== 0 && signals.has('SIGINT')) throw ended(130);
    if (code !== 0) throw stopped(`The editor ended with code ${code ?? 'a signal'}: nothing was sent.`);
  } finally {
    undo();
  }
}
