import { type Zone, zoneOf } from '../time/zones.js';
import type { Context } from './context.js';

/** The zone of the line or of its profile. */
export async function zoneInUse(context: Context): Promise<Zone> {
  const { tz } = await context.profile();
  return zoneOf(tz.value, tz.source);
}
