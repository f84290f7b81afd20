import type { Database } from '../../base/database/types.js';
import { isItem, type Value } from '../store/item-values.js';
import { readMeta, writeMeta } from '../store/store-tables.js';
import type { Deed } from './host.js';

/**
 * One line of the script that replaces the model. The first line that matches a prompt answers it; a field that the
 * line omits matches anything. reading: assistant-answers
 */
export interface ScriptedAnswer {
  /** Id or name of an assistant. */
  readonly assistant?: string;
  /** Id of a node. */
  readonly node?: string;
  /** A part of the prompt, case-insensitive. */
  readonly message?: string;
  readonly answer?: string;
  /** The branch to pick, 1 to 3; none of them means output 4. */
  readonly output?: number;
  readonly actions?: readonly Deed[];
}

const NAME = 'assistant_answers';
/** What assistants can do on their own (published): mail, notes, metadata, functions, memos, other assistants. */
const ALLOWED = /^\/(?:notes|metadata|ai_memos|smtp_messages|functions\/[^/]+\/trigger|ai_assistants\/[^/]+\/trigger)$/;
const TEXTS = ['assistant', 'node', 'message', 'answer'] as const;

export function readAnswers(database: Database): ScriptedAnswer[] {
  return JSON.parse(readMeta(database, NAME) ?? '[]') as ScriptedAnswer[];
}

export function writeAnswers(database: Database, answers: readonly ScriptedAnswer[]): void {
  writeMeta(database, NAME, JSON.stringify(answers));
}

/** The script of answers in some data, or why the data is invalid. */
export function parseAnswers(data: unknown): readonly ScriptedAnswer[] | string {
  if (!Array.isArray(data)) return 'The script must be a list of answers.';
  for (const [index, one] of (data as unknown[]).entries()) {
    const fault = faultOf(one);
    if (fault) return `Answer ${index + 1}: ${fault}`;
  }
  return data as ScriptedAnswer[];
}

function faultOf(one: unknown): string | undefined {
  if (!isItem(one)) return 'it must be an object.';
  const strange = Object.keys(one).find((name) => ![...TEXTS, 'output', 'actions'].includes(name));
  if (strange) return `${JSON.stringify(strange)} is unknown; it takes ${[...TEXTS, 'output', 'actions'].join(', ')}.`;
  const text = TEXTS.find((name) => one[name] !== undefined && typeof one[name] !== 'string');
  if (text) return `${text} must be a text.`;
  if (one.output !== undefined && ![1, 2, 3, 4].includes(one.output as number)) return 'output must be 1, 2, 3 or 4.';
  if (one.actions === undefined) return undefined;
  if (!Array.isArray(one.actions)) return 'actions must be a list.';
  for (const deed of one.actions as unknown[]) {
    if (!isItem(deed) || typeof deed.path !== 'string' || (deed.body !== undefined && !isItem(deed.body)))
      return 'an action has the form {"path": "/notes", "body": {...}}.';
    if (!ALLOWED.test(deed.path))
      return `an assistant may not do ${JSON.stringify(deed.path)}: only /notes, /metadata, /ai_memos, /smtp_messages and triggers.`;
  }
  return undefined;
}

/** The answer for a prompt, if the script has one. */
export function answerFor(
  database: Database,
  prompt: { readonly assistant: Value; readonly node: string; readonly message: string },
): ScriptedAnswer | undefined {
  const message = prompt.message.toLowerCase();
  return readAnswers(database).find(
    (one) =>
      (one.assistant === undefined ||
        one.assistant === prompt.assistant.id ||
        one.assistant === prompt.assistant.name) &&
      (one.node === undefined || one.node === prompt.node) &&
      (one.message === undefined || message.includes(one.message.toLowerCase())),
  );
}
