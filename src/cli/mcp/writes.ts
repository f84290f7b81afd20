import { createHash } from 'node:crypto';
import { accountRecords } from '../../account/account-records.js';
import { repeatRefused } from '../../account/history/entries.js';
import type { Entry } from '../../account/history/types.js';
import { PolicyFile } from '../../account/policy/file.js';
import { mayGoAlone } from '../../account/policy/judge.js';
import { FROM_ENVIRONMENT } from '../../account/profiles/profile-names.js';
import type { Profile } from '../../account/profiles/types.js';
import { broughtBy, operationWith } from '../../account/safety/as-sent.js';
import { guardedAsLive } from '../../account/safety/decide.js';
import { warningsOf } from '../../account/safety/question.js';
import { CopsError, stopped, usage } from '../../base/errors/errors.js';
import { type CommandLine, cops, copsLine, placeholder, say, type Text } from '../../base/text/command-line.js';
import { pathParameters } from '../../catalogue/index.js';
import type { FamilyOperation } from '../../catalogue/types.js';
import { stripEnvelope } from '../../items/json/item-json.js';
import { valuesOf } from '../../items/json/lossless.js';
import { serialise, type TreeObject } from '../../items/json/tree.js';
import { secretPlaces } from '../../items/secrets/secret-fields.js';
import { planRequest } from '../../service/request/request-plan.js';
import { openReader, type Reader } from '../../session/read/reading.js';
import { askedOf, ownItem, policyGate } from '../../session/write/limited-history.js';
import {
  broughtLines,
  broughtWrites,
  originOf,
  type PreparedWrite,
  reasonOf,
  taggerOf,
} from '../../session/write/prepared-write.js';
import { askedLines, guard, sendWrite } from '../../session/write/write.js';
import type { Held, Tokens } from './kept-answers.js';
import { maskPersonal } from './mask.js';
import { bodyOf, fitting, type GivenBody } from './reads.js';
import {
  contextOf,
  quotesOf,
  refuseFaults,
  type Session,
  shownItem,
  shownText,
  type ToolAnswer,
  toolOperation,
} from './session.js';

/** The write behind a token: nothing about it can change any more. */
export interface ReadyWrite {
  readonly name: string;
  readonly prepared: PreparedWrite;
  /** Hash of the item as shown; undefined where there is no item to read. */
  readonly state: string | undefined;
  readonly mode: string;
  readonly credential: string;
  /** When it was prepared, milliseconds. */
  readonly began: number;
}

export interface PrepareArguments {
  readonly operation: string;
  readonly ids?: readonly string[];
  readonly body?: GivenBody;
  readonly reason?: string;
}

/** Validates a write and reads the item it is about; sends nothing. */
export async function prepareWrite(
  session: Session,
  tokens: Tokens<ReadyWrite>,
  given: PrepareArguments,
): Promise<ToolAnswer> {
  const { family, operation: named, name } = await toolOperation(session, given.operation);
  const body = bodyOf(given.body);
  const operation = operationWith(named, body);
  if (named.method !== 'POST' || operation.risk === 'read') throw usage(`${name} only reads.`, 'Use read.');
  const ids = given.ids ?? [];
  await refuseAsGiven(session, { family, operation }, { ...given, operation: name }, body);
  const { context, said } = contextOf(session, name);
  const began = context.world.now();
  const prepared: PreparedWrite = {
    family,
    operation,
    risk: operation.risk,
    ids,
    body,
    key: undefined,
    again: false,
    reason: reasonOf(given.reason),
  };
  const reader = await openReader(context);
  planRequest(family, operation, { ids, body });
  await refuseUnknown(session, prepared, reader);
  await policyGate(context, prepared, reader).rehearse([prepared]);
  const item = await itemOf(prepared, reader);
  const { profile } = reader;
  const brought = await broughtItems(prepared, reader);
  const ready: ReadyWrite = {
    name,
    prepared,
    state: stateOf(item, brought),
    mode: profile.mode.value,
    credential: profile.fingerprint,
    began,
  };
  return {
    structured: {
      outcome: 'prepared',
      token: tokens.issue(ready, itemKey(ready)),
      expires_in_seconds: 600,
      operation: name,
      summary: operation.summary,
      risk: operation.risk,
      mode: profile.mode.value,
      profile: profile.name.value,
      ids,
      says: operation.preview && warningsOf(operation),
      notes: said.texts.map((text) => shownText(session, text)),
      data: quotesOf(session, said.quotes),
      preview: {
        from_service: true,
        asked: await asked(session, profile, prepared, item, brought),
        ...(item === undefined ? { item: null } : fitting(session, shownItem(session, item, family.name))),
      },
    },
  };
}

/** Refuses everything that can be refused without reading an item. */
async function refuseAsGiven(
  session: Session,
  { family, operation }: FamilyOperation,
  given: PrepareArguments,
  body: TreeObject,
): Promise<void> {
  const { operation: name, ids = [] } = given;
  const hasSecrets = secretPlaces(operation, body).length > 0;
  const line = async () =>
    hasSecrets
      ? (await lineOf(session, name, given, {})).and('--body', placeholder('@<file>'))
      : await lineOf(session, name, given, body);
  if (!session.allow.has(operation.risk)) {
    throw stopped(
      `${name} has the risk ${operation.risk}, which this server does not allow`,
      say`A person can run: ${await line()}`,
    );
  }
  if (ids.length !== pathParameters(operation).length)
    throw usage(`${name} takes ${pathParameters(operation).length} ids.`);
  if (hasSecrets) throw stopped('secrets cannot go through an agent', say`A person can run: ${await line()}`);
  if (Object.hasOwn(body, 'idempotency_key')) throw usage('The server sets idempotency_key.');
  await refuseFaults({ family, operation, name }, body);
}

/** The question a person would see, as far as this server shows the item. */
async function asked(
  { mask }: Session,
  profile: Profile,
  prepared: PreparedWrite,
  item: string | undefined,
  brought: BroughtItems,
): Promise<string[]> {
  const linesOf = (write: PreparedWrite, text: string | undefined): Promise<Text[]> => {
    const shown = text !== undefined && mask ? maskPersonal(text, write.family.name) : text;
    return askedLines(profile, write, shown === undefined ? {} : { item: valuesOf(shown) });
  };
  const besides = await broughtLines(prepared, async (write) => linesOf(write, brought.get(keyOf(write))));
  return [...(await linesOf(prepared, item)), ...besides].map(String);
}

/** Texts of the items that fields of the body reach, by operation and id. */
type BroughtItems = ReadonlyMap<string, string>;

const keyOf = ({ operation, ids }: PreparedWrite): string => [operation.path, ...ids].join(' ');

/** The items that fields of the body reach: a commit applies to them as shown. */
async function broughtItems(prepared: PreparedWrite, reader: Reader): Promise<BroughtItems> {
  const texts = new Map<string, string>();
  for (const { write, isOfItem } of await broughtWrites(prepared)) {
    const text = isOfItem ? await itemOf(write, reader) : undefined;
    if (text !== undefined) texts.set(keyOf(write), text);
  }
  return texts;
}

function stateOf(item: string | undefined, brought: BroughtItems): string | undefined {
  const all = [...(item === undefined ? [] : [item]), ...brought.values()];
  return all.length === 0 ? undefined : createHash('sha256').update(all.join('\n')).digest('hex');
}

/** How a person answers the question of a commit: under the name given out for it. */
export interface Asking {
  readonly canAsk: boolean;
  /** The person's answer under that name; undefined where nobody answered. */
  answered(name: string): boolean | undefined;
}

export type Committed = ToolAnswer | { readonly ask: string; readonly message: string };

/** Sends a prepared write, once; refuses if the item has changed since it was shown. */
export async function commit(
  session: Session,
  tokens: Tokens<ReadyWrite>,
  token: string,
  asking: Asking,
): Promise<Committed> {
  const held = tokens.take(token);
  return tokens.inTurn(() => send(session, tokens, token, held, asking));
}

async function send(
  session: Session,
  tokens: Tokens<ReadyWrite>,
  token: string,
  held: Held<ReadyWrite>,
  asking: Asking,
): Promise<Committed> {
  const { prepared, name } = held.value;
  const isApproved = held.asked !== undefined && asking.answered(held.asked) === true;
  if (held.asked !== undefined && !isApproved)
    throw stopped('no person confirmed it: nothing was sent, and the token is void');
  const { context } = contextOf(session, name, isApproved || (await goesAlone(session, held)), held.value.began);
  const reader = await openReader(context);
  await refuseUnknown(session, prepared, reader);
  const item = await itemOf(prepared, reader);
  const brought = await broughtItems(prepared, reader);
  if (
    stateOf(item, brought) !== held.value.state ||
    reader.profile.mode.value !== held.value.mode ||
    reader.profile.fingerprint !== held.value.credential
  ) {
    throw stopped(
      'the item has changed since the write was prepared: nothing was sent',
      'Prepare it again, and check the preview.',
    );
  }
  try {
    await guard(context, prepared, reader);
  } catch (error) {
    if (!(error instanceof CopsError) || error.facts.more?.risk === undefined) throw error;
    const line = say`A person can run: ${await lineOf(session, name, prepared, prepared.body)}`;
    if (!asking.canAsk) throw stopped(`${error.message}; a person must confirm it`, line);
    const body = serialise(prepared.body);
    const head = `${reader.profile.mode.value.toUpperCase()} mode: ${name} ${prepared.ids.join(' ')} ${body === '{}' ? '' : body}`;
    const told = await asked(session, reader.profile, prepared, item, brought);
    const lines = [head.trimEnd(), ...told, 'Send it?'];
    return { ask: tokens.ask(token, held), message: shownText(session, lines.join('\n')) };
  }
  const { text, apiCallId } = await sendWrite(context, prepared, reader);
  const isAcceptedOnly = [prepared, ...(await broughtWrites(prepared)).map(({ write }) => write)].some(
    ({ operation }) => operation.acceptedOnly,
  );
  const answer = fitting(session, shownItem(session, stripEnvelope(text), prepared.family.name));
  return {
    structured: {
      outcome: 'done',
      operation: name,
      ids: prepared.ids,
      api_call_id: apiCallId ?? null,
      says: isAcceptedOnly ? 'Accepted by the service, not yet paid back.' : undefined,
      data: { from_service: true, answer: answer.item, kept: answer.kept },
    },
  };
}

async function goesAlone(session: Session, held: Held<ReadyWrite>): Promise<boolean> {
  const { context } = contextOf(session, held.value.name);
  const profile = await context.profile();
  if (!guardedAsLive(profile)) return false;
  const policy = await new PolicyFile(context.configDir).current();
  const { prepared } = held.value;
  const also = broughtBy(prepared.operation, prepared.body);
  return policy !== undefined && mayGoAlone(policy, { ...askedOf(context, prepared, { profile }), also });
}

/** An agent never repeats a write like one whose outcome is unknown, not even with another body. */
async function refuseUnknown(
  { context }: Session,
  { family, operation, ids, body }: PreparedWrite,
  { profile }: Reader,
): Promise<void> {
  const history = await accountRecords(context).history();
  const open = await history.openTags({ profile: profile.name.value, fingerprint: profile.fingerprint });
  const { operation: name } = originOf(profile, family, operation);
  const isLike = (one: Entry): boolean =>
    ids.length > 0 && one.operation === name && one.ids.join(' ') === ids.join(' ');
  const entry = open.get(taggerOf(profile, operation)(ids, body)) ?? [...open.values()].find(isLike);
  if (!entry) return;
  const settle = say`A person looks up its outcome (${cops`history show ${entry.id}`}) and records it: ${cops`history settle ${entry.id} --as ${placeholder('done|not-done')}`}`;
  throw stopped(repeatRefused(entry).message, settle, { history: entry.id });
}

async function itemOf(prepared: PreparedWrite, reader: Reader): Promise<string | undefined> {
  const text = await ownItem(prepared, reader);
  return text === undefined ? undefined : stripEnvelope(text);
}

/** Parts of an item, such as its images, count as the item. */
const itemKey = ({ prepared }: ReadyWrite): string => `${prepared.family.name} ${prepared.ids[0] ?? ''}`;

/** The whole line that does the same: part of it could do more, such as refund everything. */
async function lineOf(
  { context }: Session,
  name: string,
  { ids = [], reason }: Pick<PrepareArguments, 'ids' | 'reason'>,
  body: Readonly<Record<string, unknown>>,
): Promise<CommandLine> {
  const { name: profile, mode } = await context.profile();
  const text = serialise(body);
  return copsLine([
    ...name.split(' '),
    ...ids.map((id) => (/^[\w.-]+$/.test(id) ? id : placeholder('<id>'))),
    ...(text === '{}' ? [] : ['--body', text]),
    ...(reason === undefined ? [] : ['--reason', reason]),
    ...(profile.value === FROM_ENVIRONMENT ? [] : ['-p', profile.value]),
    `--${mode.value}`,
    ...(context.options.baseUrl === undefined ? [] : ['--base-url', context.options.baseUrl]),
  ]);
}
