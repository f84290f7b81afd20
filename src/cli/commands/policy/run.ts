import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PolicyFile, policyPath, policyText } from '../../../account/policy/file.js';
import { parsePolicy } from '../../../account/policy/parse.js';
import type { Moves } from '../../../account/policy/types.js';
import { CopsError } from '../../../base/errors/errors.js';
import { readThere } from '../../../base/files/read-file.js';
import { cops, say } from '../../../base/text/command-line.js';
import { readText } from '../../../service/body/gather.js';
import { decodeText } from '../../../service/body/input-text.js';
import type { Context, Done } from '../../../session/context/context.js';
import { bySubcommand, jsonText, one } from '../../../session/context/run.js';
import { openReader } from '../../../session/read/reading.js';
import { inputOf } from '../../../session/write/body-input.js';
import { editedUntilRight, editorSet } from '../../../session/write/edit.js';
import { askedOf, policyGate, teamRules, tellUnknownProfiles } from '../../../session/write/limited-history.js';
import { addRule } from './add.js';
import { meantBy } from './line.js';
import { type AddOptions, spokenRule } from './rule-words.js';
import { keepRules, refuseAgent, removeRule, shownPolicy, TEMPLATE, tellOutside, tellPassing } from './rules.js';

interface PolicyOptions extends AddOptions {
  readonly file?: string;
  readonly schema?: boolean;
}

const RAIL =
  'A rail, not a wall: it stops writes made through cops, and anyone who can change the file can change the rules.';

export const run = bySubcommand<PolicyOptions>({
  '': (context) => show(context),
  show: (context) => show(context),
  check: (context, { words }) => check(context, words),
  add: (context, { words, options }) => addRule(context, spokenRule(context, words, options)),
  remove: (context, { words: [name = ''] }) => removeRule(context, name),
  edit: (context, { options }) => (options.schema ? schema() : edit(context, options.file)),
});

async function show(context: Context): Promise<Done> {
  const path = policyPath(context.configDir);
  const text = policyText(context.configDir);
  const whose = (await context.team?.()) === undefined ? 'There are no rules' : 'This machine has no rules of its own';
  if (text === undefined) context.notes.note(say`${whose}; add one with ${cops`policy edit`}.`);
  else context.notes.note(RAIL);
  const policy = text === undefined ? undefined : await parsePolicy(text, path);
  if (policy) await tellPassing(context, policy);
  const team = await teamRules(context).catch((error: unknown) => {
    if (!(error instanceof CopsError) || error.facts.more?.ledger !== 'away') throw error;
    context.notes.warn(`The rules of the ledger are not shown: ${error.message}`);
    return undefined;
  });
  if (team) context.notes.note('The rules of the ledger apply too, to everybody who uses it.');
  return { result: one({ path, ...shownPolicy(policy), ...(team && { ledger: shownPolicy(team) }) }) };
}

/** Judges the writes of a line as of now; writes and records nothing. */
async function check(context: Context, line: readonly string[]): Promise<Done> {
  const meant = await meantBy(context, line);
  const reader = await openReader(context);
  const asked = askedOf(context, meant, reader);
  const policy = await new PolicyFile(context.configDir).current();
  tellUnknownProfiles(context, policy, asked.profile);
  if (policy) tellOutside(context, policy);
  const facts = {
    operation: asked.operation,
    ids: meant.idSets.map((ids) => ids.join(' ')),
    profile: asked.profile,
    mode: asked.mode,
    who: asked.who,
  };
  const judged = (more: object): Done['result'] => one({ ...facts, ...more });
  if (meant.risk === 'read') return { result: judged({ allowed: true, why: 'it only reads' }) };
  const rows = meant.idSets.map((ids) => ({ ids, body: meant.body }));
  const stops: CopsError[] = [];
  let moves: readonly Moves[] = [];
  try {
    moves = await policyGate(context, meant, reader).rehearse(rows, true, stops);
  } catch (error) {
    if (!(error instanceof CopsError) || error.kind !== 'stopped') throw error;
    stops.push(error);
  }
  const [first] = stops;
  if (!first) return { result: judged({ allowed: true, moves: moves.map(movesText) }) };
  const all = stops.map(({ message, facts }) => ({ rule: facts.more?.rule, limit: facts.more?.limit, why: message }));
  const each = [...new Map(all.map((one) => [one.why, one])).values()];
  for (const { why } of each.slice(1)) context.notes.warn(`Also stopped: ${why}`);
  return { result: judged({ allowed: false, ...each[0], stops: each }), finish: () => first };
}

const movesText = (moves: Moves): string =>
  moves.kind === 'amount' ? `${moves.amount.toFixed()} ${moves.currency}` : moves.kind;

const schema = async (): Promise<Done> => ({
  result: jsonText((await import('../../../account/policy/policy-schema.js')).policySchema()),
});

/** Changes the rules; saves only valid ones. */
async function edit(context: Context, file: string | undefined): Promise<Done> {
  refuseAgent(context);
  const path = policyPath(context.configDir);
  const text = file === undefined ? await edited(context, path) : await readText(inputOf(context.world), file);
  return keepRules(context, text, await parsePolicy(text, file ?? path));
}

async function edited(context: Context, path: string): Promise<string> {
  const command = await editorSet(context, 'policy edit', say`In a script: ${cops`policy edit --file <file>`}`);
  const folder = await mkdtemp(join(tmpdir(), 'cops-policy-'));
  const draft = join(folder, 'policy.yaml');
  await writeFile(draft, policyText(context.configDir) ?? TEMPLATE, { mode: 0o600 });
  let keep = true;
  try {
    const text = await editedUntilRight(context, { command, path: draft }, async () => {
      const written = decodeText(readThere(draft), draft);
      await parsePolicy(written, path);
      return written;
    });
    keep = false;
    return text;
  } finally {
    if (keep) context.notes.warn(`Your draft is kept in ${draft}`);
    else await rm(folder, { recursive: true, force: true });
  }
}
