import { listHandler } from '../../fixtures/service/service.js';
import { pair } from '../helpers.js';

/* A service with five subscriptions, due before and after one moment. */

const NOW = Date.parse('2026-06-01T00:00:00Z');
export const T = NOW / 1000;
export const DAY = 86_400;
export const clock = { now: () => NOW, sleep: async () => {} };
export const id = (at: number): string => `SUBSCRIPTION${String(at).padStart(8, '0')}`;
export const subscription = (at: number, status: string, dueInDays: number) => ({
  id: id(at),
  status,
  amount: 10,
  iso_currency: 'USD',
  billing: { next_renewal_date_unix: T + dueInDays * DAY },
  created_date_unix: T - DAY * (at + 1),
  live_mode: false,
});
const SUBSCRIPTIONS = [
  subscription(0, 'active', 6),
  subscription(1, 'active', 8),
  subscription(2, 'cancelled', 3),
  subscription(3, 'overdue', 2),
  subscription(4, 'active', -1),
];
export const account = () => pair({ handler: listHandler({ items: SUBSCRIPTIONS }) });
