import { accountRecords } from '../../account/account-records.js';
import type { GatedHistory } from '../../account/history/types.js';
import { PolicyGate } from '../../account/policy/gate.js';
import type { Asked, Who } from '../../account/policy/types.js';
import { type Values, valuesOf } from '../../account/safety/shown-values.js';
import { CopsError, usage } from '../../base/errors/errors.js';
import { FAMILY_INDEX } from '../../catalogue/index.js';
import type { Family, Operation } from '../../catalogue/types.js';
import { itemRead } from '../../service/request/request-plan.js';
import type { Context } from '../context/context.js';
import type { Reader } from '../read/reading.js';
import { type LimitedWrites, originOf } from './prepared-write.js';

/** Who asks: `COPS_WHO`, a person where it says nothing. */
export function whoAsks(context: Pick<Context, 'world'>): Who {
  const who = context.world.env.COPS_WHO;
  if (who === undefined || who === '' || who === 'person') return 'person';
  if (who === 'agent') return who;
  throw usage(`COPS_WHO=${who}: it is person or agent.`);
}

/** The history that every write is recorded in before it is sent, with this machine's policy as its gate. */
export function limitedHistory(context: Context, writes: LimitedWrites, reader: Reader): Promise<GatedHistory> {
  return accountRecords(context).gatedHistory(policyGate(context, writes, reader));
}

/** The policy of this machine as it judges the writes of one operation. */
export function policyGate(context: Context, writes: LimitedWrites, reader: Reader): PolicyGate {
  const { configDir, world } = context;
  return new PolicyGate({
    configDir,
    now: () => world.now(),
    counted: () => accountRecords(context).countedWrites(),
    asked: askedOf(context, writes, reader),
    family: writes.family,
    operation: writes.operation,
    item: (family, operation, ids) => itemOf(family, operation, ids, reader),
  });
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
    reason: writes.reason,
  };
}

function isListed({ family, operation }: LimitedWrites): boolean {
  const entry = FAMILY_INDEX.find(({ name }) => name === family.name);
  return entry?.actions.some(({ action }) => action === operation.action) === true;
}

/** The item that a write is for, as the service gives it now; undefined where it cannot be read. */
async function itemOf(
  family: Family,
  operation: Operation,
  ids: readonly string[],
  reader: Reader,
): Promise<Values | undefined> {
  try {
    const read = itemRead(family, operation, ids);
    return read && valuesOf(await reader.answer(read.request));
  } catch (error) {
    if (error instanceof CopsError && (error.kind === 'stopped' || error.kind === 'interrupted')) throw error;
    return undefined;
  }
}
