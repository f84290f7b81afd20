import { CopsError, stopped } from '../../../base/errors/errors.js';
import { loadFamily } from '../../../catalogue/index.js';
import { planRequest } from '../../../service/request/request-plan.js';
import type { Context } from '../../../session/context/context.js';
import { openReader } from '../../../session/read/reading.js';
import { rawName } from '../layout.js';
import type { Owner } from '../mirror.js';
import { inSchema } from './team-layout.js';
import { isKnownKey, type TeamPlace } from './team-state.js';

/** Lists whose items identify the account; the first non-empty one is used. */
const SHOWING = ['customers', 'products', 'sales', 'campaigns', 'payment_types'];
/** The number of items that a key must be able to read. */
const ITEMS = 3;

/**
 * Proves that a key which has never written a mirror belongs to the same account: it must be able to read items of the
 * mirror. A mirror without items needs no proof.
 * @throws CopsError `stopped` (12) if the service does not know one of them
 */
export async function proveAccount(context: Context, place: TeamPlace, owner: Owner): Promise<void> {
  const { postgres, schema } = place;
  if (await isKnownKey(postgres, place, owner.account)) return;
  const items = await itemsOf(place);
  if (items.length > 0) {
    const reader = await openReader(context);
    const name = items[0]?.family ?? '';
    const family = await loadFamily(name);
    const read = family.operations.find(({ action }) => action === 'get');
    for (const { id } of read ? items : []) {
      try {
        if (read) await reader.answer(planRequest(family, read, { ids: [id] }));
      } catch (error) {
        if (!(error instanceof CopsError) || error.kind !== 'not_found') throw error;
        throw stopped(
          `stopped: the mirror ${postgres.address.text} belongs to another account: this key cannot read ${name} ${id}`,
          'Nothing was written. Choose the profile it belongs to (-p), or another schema.',
        );
      }
    }
  }
  await postgres.query(`INSERT INTO ${inSchema(schema, '_keys')} (fingerprint) VALUES ($1) ON CONFLICT DO NOTHING`, [
    owner.account,
  ]);
}

async function itemsOf({ postgres, schema }: TeamPlace): Promise<{ family: string; id: string }[]> {
  for (const family of SHOWING) {
    const table = inSchema(schema, rawName(family));
    const { rows: there } = await postgres.query('SELECT to_regclass($1) IS NOT NULL', [table]);
    if (there[0]?.[0] !== true) continue;
    const { rows } = await postgres.query(
      `SELECT id FROM ${table} WHERE gone_at IS NULL ORDER BY seen_at DESC, id LIMIT ${ITEMS}`,
    );
    if (rows.length > 0) return rows.map(([id]) => ({ family, id: String(id) }));
  }
  return [];
}
