/**
 * Words of a status after which an item no longer changes by itself. Whatever is not known to be one of them is read
 * again: a status that was never seen must not make a row stale.
 */
const FINAL: ReadonlySet<string> = new Set([
  ...['approved', 'cancelled', 'canceled', 'closed', 'completed', 'declined', 'delivered', 'disabled', 'enabled'],
  ...['error', 'expired', 'failed', 'lost', 'occurrence_limit', 'paid', 'processed', 'refunded', 'resolved'],
  ...['returned', 'sent', 'shipped', 'success', 'void', 'voided', 'won'],
]);

/** True for an item whose state can still change: its window is read again by every sync. */
export function isUnsettled(status: unknown): boolean {
  return typeof status === 'string' && status !== '' && !FINAL.has(status.toLowerCase());
}
