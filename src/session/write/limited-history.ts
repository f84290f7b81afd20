import { accountRecords } from '../../account/account-records.js';
import type { GatedHistory } from '../../account/history/types.js';
import { PolicyFile } from '../../account/policy/file.js';
import { PolicyGate } from '../../account/policy/gate.js';
import type { Asked, Policy, Who } from '../../account/policy/types.js';
import { glanceAt } from '../../account/profiles/glance.js';
import { FROM_ENVIRONMENT } from '../../account/profiles/profile-names.js';
import { CopsError, stopped, usage } from '../../base/errors/errors.js';
import { FAMILY_INDEX } from '../../catalogue/index.js';
import type { Family, Operation } from '../../catalogue/types.js';
import { type Values, valuesOf } from '../../items/json/lossless.js';
import { redact } from '../../items/secrets/redact.js';
import { itemRead } from '../../service/request/request-plan.js';
import type { Context } from '../context/context.js';
import { otherItem, type Reader } from '../read/reading.js';
import { type LimitedWrites, originOf } from './prepared-write.js';

/** Who asks: `COPS_WHO`, or a person if it is not set. */
export function whoAsks(context: Pick<Context, 'world'>): Who {
  const who = context.world.env.COPS_WHO;
  if (who === undefined || who === '' || who === 'person') return 'person';
  if (who === 'agent') return who;
  throw usage(`COPS_WHO=${who}: it must be person or agent.`);
}

/** The history that records every write before it is sent, with this machine's policy as its gate. */
export async function limitedHistory(context: Context, writes: LimitedWrites, reader: Reader): Promise<GatedHistory> {
  const team = await context.team?.();
  if (team) await (await import('./team-account.js')).proveLedgerKey(team, reader);
  tellUnknownProfiles(context, await new PolicyFile(context.configDir).current(), reader.profile.name.value);
  return accountRecords(context).gatedHistory(policyGate(context, writes, reader));
}

/**
 * Warns of rules for profiles that are not here. They stop nothing, because machines share rules but have different
 * profiles: a rule for another machine's profile must not keep this one from writing.
 */
export function tellUnknownProfiles({ notes, configDir }: Context, policy: Policy | undefined, inUse?: string): void {
  const scoped = policy?.rules.filter(({ profiles }) => profiles !== undefined) ?? [];
  if (scoped.length === 0) return;
  const known = new Set([...glanceAt(configDir).profiles, FROM_ENVIRONMENT, inUse]);
  for (const { name, profiles = [] } of scoped) {
    const unknown = profiles.filter((one) => !known.has(one));
    if (unknown.length === 0) continue;
    const all = unknown.length === profiles.length ? ', so that it guards nothing here' : '';
    notes.warn(`The rule "${name}" of the policy names profiles that are not here (${unknown.join(', ')})${all}.`);
  }
}

/** The policy of this machine for the writes of one operation. Amounts of items that are not read are unknown. */
export function policyGate(context: Context, writes: LimitedWrites, reader: Reader, readsItems = true): PolicyGate {
  const { configDir, world } = context;
  return new PolicyGate({
    configDir,
    now: () => world.now(),
    counted: () => accountRecords(context).countedWrites(),
    team: context.team && (() => teamRules(context)),
    asked: askedOf(context, writes, reader),
    family: writes.family,
    operation: writes.operation,
    item: async (family, operation, ids) => (readsItems ? itemOf(family, operation, ids, reader) : undefined),
  });
}

/** The rules of the ledger in use; undefined without a ledger, or without rules in it. */
export async function teamRules({ team }: Pick<Context, 'team'>): Promise<Policy | undefined> {
  const used = await team?.();
  const text = await used?.rules();
  if (!used || !text?.trim()) return undefined;
  const { parsePolicy } = await import('../../account/policy/parse.js');
  const { schema } = used.place;
  const mend = `add a corrected row to ${schema}.policy, as a member of cops_policy`;
  return parsePolicy(text, 'the policy of the ledger', mend);
}

/** A write as the rules see it. */
export function askedOf(context: Context, writes: LimitedWrites, { profile }: Pick<Reader, 'profile'>): Asked {
  const { operation, fingerprint, mode } = originOf(profile, writes.family, writes.operation);
  return {
    profile: profile.name.value,
    credential: fingerprint,
    mode,
    who: whoAsks(context),
    operation,
    risk: writes.risk,
    isUnlisted: !isListed(writes),
    reason: writes.reason === undefined ? undefined : redact(writes.reason, [profile.key.value]),
  };
}

function isListed({ family, operation }: LimitedWrites): boolean {
  const entry = FAMILY_INDEX.find(({ name }) => name === family.name);
  return entry?.actions.some(({ action }) => action === operation.action) === true;
}

/** The item of a write, as the service shows it now; undefined if it cannot be read. */
async function itemOf(
  family: Family,
  operation: Operation,
  ids: readonly string[],
  reader: Reader,
): Promise<Values | undefined> {
  try {
    const text = await ownItem({ family, operation, ids }, reader);
    return text === undefined ? undefined : valuesOf(text);
  } catch (error) {
    if (error instanceof CopsError && (error.kind === 'stopped' || error.kind === 'interrupted')) throw error;
    return undefined;
  }
}

/**
 * The item of a write as text; undefined if its family cannot read it.
 * @throws CopsError stopped (12) if the service answers with another item, whose facts must not decide
 */
export async function ownItem(
  { family, operation, ids }: { family: Family; operation: Operation; ids: readonly string[] },
  reader: Reader,
): Promise<string | undefined> {
  const read = itemRead(family, operation, ids);
  if (!read) return undefined;
  const text = await reader.answer(read.request);
  const other = otherItem(text, family.idField, read.id);
  if (other !== undefined)
    throw stopped(`the service answered with the item ${other}, not the requested one`, undefined, { item: other });
  return text;
}
