import { CopsError, faultsError, stopped, usage } from '../../base/errors/errors.js';
import type { World } from '../../base/world.js';
import { operationMeant } from '../../catalogue/index.js';
import type { FamilyOperation } from '../../catalogue/types.js';
import { judgeBody } from '../../items/checks/body-faults.js';
import type { TreeObject } from '../../items/json/tree.js';
import { hideCards, redactJson } from '../../items/secrets/redact.js';
import type { Missing } from '../../screen/types.js';
import type { Context, Prompter } from '../../session/context/context.js';
import type { Results } from './kept-answers.js';
import { maskPersonal, maskSentence } from './mask.js';

/** What the `cops mcp` line settles for the life of the server. */
export interface Session {
  readonly context: Context;
  readonly allow: ReadonlySet<string>;
  /** Families by path name; undefined for all. */
  readonly families: ReadonlySet<string> | undefined;
  readonly maxBytes: number;
  readonly mask: boolean;
  readonly results: Results;
  /** Never shown, whatever the service returns. */
  readonly secrets: readonly string[];
  /** Aborted once the client is gone. */
  readonly ended: AbortSignal;
}

/** A tool's answer. */
export interface ToolAnswer {
  readonly structured: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
}

/** What a command reports besides its data. */
export interface Said {
  readonly texts: string[];
  /** Sentences that quote the service. */
  readonly quotes: string[];
  /** One entry per gap in the data. */
  readonly missing: Missing[];
}

/** A context for one call: an agent asks, nobody is at a terminal, and notes are collected. */
export function contextOf(
  { context }: Session,
  command: string,
  isApproved = false,
  began = context.world.now(),
): { readonly context: Context; readonly said: Said } {
  const said: Said = { texts: [], quotes: [], missing: [] };
  let now: Promise<number> | undefined;
  const silent = (): void => undefined;
  const world: World = Object.create(context.world, {
    env: { value: { ...context.world.env, COPS_WHO: 'agent' } },
    holdUntilTold: { value: undefined },
    // Anything others have done since then is not repeated.
    started: { value: began },
    stdout: {
      value: new Proxy(context.world.stdout, { get: (of, name) => (name === 'isTTY' ? false : Reflect.get(of, name)) }),
    },
  });
  const prompter: Prompter = {
    canPrompt: () => isApproved,
    confirm: async () => isApproved,
    typed: async () => isApproved,
    secret: () => Promise.reject(stopped('secrets cannot be given here')),
    text: () => Promise.reject(stopped('nobody is there to answer')),
    pick: () => Promise.reject(stopped('nobody is there to answer')),
  };
  return {
    said,
    context: {
      ...context,
      world,
      command,
      options: { ...context.options, yes: false, modeUnproven: false, input: false, raw: false, dryRun: false },
      notes: {
        note: (text) => void said.texts.push(String(text)),
        warn: (text, missing) => {
          said.texts.push(String(text));
          if (missing) said.missing.push(missing);
        },
        quote: (text) => void said.quotes.push(text),
        detail: silent,
        progress: silent,
        progressDone: silent,
      },
      prompter: async () => prompter,
      // A session lasts for hours, so "now" is the time of each call.
      now: () => {
        now ??= context.clock();
        return now;
      },
      // The session outlives an answer.
      whenTold: (work) => work(),
    },
  };
}

/** An operation with its name. */
export interface KnownTool extends FamilyOperation {
  readonly name: string;
}

/** The operation the words name, if this server may use it. */
export async function toolOperation({ families }: Session, words: string): Promise<KnownTool> {
  const spoken = words.trim().split(/\s+/);
  const found = await operationMeant(spoken);
  if (!found || found.used !== spoken.length) throw usage('There is no such operation.', 'Find one with search.');
  const { family, operation } = found;
  if (families && !families.has(family.name)) throw stopped('This server does not offer that family.');
  return { family, operation, name: `${family.name.replaceAll('_', '-')} ${operation.action}` };
}

/** @throws CopsError usage (2) for an invalid body */
export async function refuseFaults({ family, operation, name }: KnownTool, body: TreeObject) {
  const { lackingFaults } = await import('../guess/wrong-line.js');
  const lacking = await lackingFaults({ family, operation }, body);
  const faults = [...lacking, ...(await judgeBody(body, { operation })).faults];
  if (faults.length > 0) throw faultsError(`${name}: the body is not valid`, faults, 'Nothing was sent.');
}

/** An item's JSON text as the agent may see it. */
export const shownItem = (session: Session, raw: string, family: string): string =>
  session.mask ? maskPersonal(raw, family) : raw;

/** A sentence as the agent may see it. */
export const shownText = (session: Session, text: string): string => (session.mask ? maskSentence(text) : text);

/** Sentences that quote the service, marked as data; left out while personal data is hidden. */
export const quotesOf = (
  session: Session,
  quotes: readonly string[],
): { from_service: true; says: string[] } | undefined =>
  quotes.length === 0 || session.mask ? undefined : { from_service: true, says: [...quotes] };

/** An error as an answer: the service's own words are marked, and left out while personal data is hidden. */
export function errorAnswer(session: Session, error: unknown): ToolAnswer {
  const known = error instanceof CopsError ? error : new CopsError('internal', 'an unexpected error');
  const service = known.facts.httpStatus !== undefined;
  const message =
    session.mask && service ? `the service answered ${known.facts.httpStatus}` : shownText(session, known.message);
  const { errorCode, apiCallId, serviceMessage, more } = known.facts;
  // A hint that lists items contains their names.
  const candidates = Array.isArray(more?.candidates) ? more.candidates : [];
  const hint = candidates.length > 0 ? 'Give the id of the one you mean; data lists the matches.' : known.facts.hint;
  const foreign = {
    message: serviceMessage,
    candidates: candidates.length > 0 ? candidates : undefined,
  };
  const hasForeign = serviceMessage !== undefined || candidates.length > 0;
  const outcome = known.kind === 'outcome_unknown' ? 'unknown' : 'refused';
  const structured = {
    outcome,
    error: {
      kind: known.kind,
      exit_code: known.exitCode,
      message,
      error_code: errorCode,
      api_call_id: apiCallId,
      hint: hint === undefined ? undefined : shownText(session, String(hint)),
      faults: session.mask ? undefined : known.facts.faults,
      rule: more?.rule,
    },
    data: hasForeign && !session.mask ? { from_service: true, ...foreign } : undefined,
  };
  const clean = hideCards(redactJson(JSON.stringify(structured), session.secrets));
  return { isError: true, structured: JSON.parse(clean) as Record<string, unknown> };
}
