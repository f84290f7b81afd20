import { profileIfAny } from '../../account/profiles/faults.js';
import { type Zone, zoneOf } from '../../base/time/zones.js';
import type { Context } from './context.js';

/** The zone of the line or of its profile; of this machine where there is no profile. */
export async function zoneInUse(context: Context): Promise<Zone> {
  const { tz } = (await profileIfAny(context)) ?? {};
  if (tz !== undefined) return zoneOf(tz.value, tz.source);
  const { options, world } = context;
  const named = options.tz === undefined ? world.env.COPS_TZ?.trim() : undefined;
  return named ? zoneOf(named, 'COPS_TZ') : zoneOf(options.tz ?? world.zone, '--tz');
}
