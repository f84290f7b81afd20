import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context } from '../cli/context.js';
import type { OperationInput } from '../cli/family.js';
import { local, stopped, usage } from '../errors/errors.js';
import { indent } from '../json/text.js';
import { judgeBody } from '../request/checks/index.js';
import { decodeText } from '../request/decode.js';
import { changesOf, itemToBody, removedFrom } from '../request/edit.js';
import { faultsError } from '../request/faults.js';
import { parseJson } from '../request/parse-json.js';
import { planRequest } from '../request/plan.js';
import { isObject, serialise, type TreeObject } from '../request/tree.js';
import { openReader } from './reading.js';

/**
 * The body of an edit made in the operator's editor: the current item as the fields that can be written, and of
 * those only what was changed (command line, section 5).
 */
export async function editedBody(context: Context, input: OperationInput, ids: readonly string[]): Promise<TreeObject> {
  const { family, operation } = input;
  const prompter = await context.prompter();
  if (!prompter.canPrompt())
    throw stopped('--editor needs a terminal.', 'In a script, give the changes with -d or --body.');
  const command = context.world.env.VISUAL || context.world.env.EDITOR;
  if (!command) throw usage('--editor: no editor is set.', 'Set EDITOR, for example: export EDITOR=nano');
  const action = operation.action === 'edit' ? 'get' : operation.action.replace(/edit$/, 'get');
  const get = family.operations.find((candidate) => candidate.action === action);
  if (!get) throw usage(`${context.command}: the item cannot be read, so --editor has nothing to open.`);
  const reader = await openReader(context);
  const { value } = parseJson(await reader.answer(planRequest(family, get, { ids })));
  const before = itemToBody(operation, value);
  const folder = await mkdtemp(join(tmpdir(), 'cops-edit-'));
  const path = join(folder, `${ids.at(-1) ?? family.name}.json`);
  try {
    await writeFile(path, `${indent(serialise(before))}\n`, { mode: 0o600 });
    await openEditor(command, path, context);
    const text = decodeText(await readFile(path), path);
    if (text.trim() === '') throw stopped('The file was emptied: nothing is sent.');
    const after = parseJson(text).value;
    if (!isObject(after)) throw usage('The edited file must hold one JSON object.');
    const changes = changesOf(before, after);
    const removed = removedFrom(before, after);
    if (removed.length > 0) {
      context.notes.warn(`Lines that were taken away change nothing at the service: ${removed.join(', ')}.`);
    }
    if (Object.keys(changes).length === 0) throw stopped('Nothing was changed: nothing is sent.');
    const findings = await judgeBody(changes, { operation, current: before });
    if (findings.faults.length > 0)
      throw faultsError(`${context.command}: the edited body is not right`, findings.faults);
    for (const note of findings.notes) context.notes.note(note);
    return changes;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function openEditor(command: string, path: string, context: Context): Promise<void> {
  return new Promise((resolve, reject) => {
    // The variable may hold arguments (`code --wait`): the shell splits them, the path is an argument of its own.
    const child = spawn('sh', ['-c', `${command} "$1"`, 'sh', path], { stdio: 'inherit', cwd: context.world.cwd });
    child.on('error', (error) => reject(local(`The editor could not be started: ${error.message}`)));
    child.on('exit', (code) =>
      code === 0 ? resolve() : reject(stopped(`The editor ended with code ${code ?? 'a signal'}: nothing is sent.`)),
    );
  });
}
