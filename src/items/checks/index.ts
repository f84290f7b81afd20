import type { Fault, Findings } from '../../base/errors/errors.js';
import type { CheckName } from '../../catalogue/check-names.js';
import type { Operation } from '../../catalogue/types.js';
import type { TreeObject } from '../json/tree.js';
import { bodyFaults } from './body-faults.js';
import type { BodyFinding, Check } from './types.js';

/** Each check loads when an operation that names it is used. */
const CHECKS: Readonly<Record<CheckName, () => Promise<Check>>> = {
  'subscription-profile-frequency': async () => (await import('./profile-checks.js')).frequency,
  'subscription-profile-reach': async () => (await import('./profile-checks.js')).reach,
  'shipping-rates': async () => (await import('./profile-checks.js')).shippingRates,
  'customer-portal': async () => (await import('./profile-checks.js')).customerPortal,
  metadata: async () => (await import('./profile-checks.js')).checkMetadata,
  assistant: async () => (await import('./assistant.js')).assistant,
  'assistant-trigger': async () => (await import('./pairs.js')).assistantTrigger,
  function: async () => (await import('./function.js')).functionSettings,
  'refund-amount': async () => (await import('./payment-checks.js')).checkRefundAmount,
  'sale-payment': async () => (await import('./payment-checks.js')).salePayment,
  'sale-estimate': async () => (await import('./payment-checks.js')).saleEstimate,
  'chargeback-source': async () => (await import('./payment-checks.js')).chargebackSource,
  'display-prices': async () => (await import('./payment-checks.js')).displayPrices,
  'product-fields': async () => (await import('./payment-checks.js')).productFields,
  'item-pair': async () => (await import('./pairs.js')).itemPair,
  'key-value': async () => (await import('./pairs.js')).keyValue,
  'bin-prefixes': async () => (await import('./pairs.js')).binPrefixes,
  'secure-form': async () => (await import('./pairs.js')).secureForm,
  'fulfillment-center': async () => (await import('./pairs.js')).fulfillmentCenter,
};

/** What the caller knows about a body; if omitted, `whole` follows from the action. */
export interface BodyContext {
  readonly operation: Operation;
  readonly current?: TreeObject;
  readonly whole?: boolean;
}

/** The faults found by the named checks; an unknown name finds nothing. */
export async function runChecks(
  names: readonly string[],
  body: TreeObject,
  context: BodyContext,
): Promise<readonly Fault[]> {
  return (await findings(names, body, context)).filter((finding) => !finding.note).map(plain);
}

/**
 * Everything known to be wrong with a body, and what the operator should know: its schema and all documented checks of
 * its operation, together. A check says nothing about a place that the schema refuses.
 */
export async function judgeBody(body: TreeObject, context: BodyContext): Promise<Findings> {
  const schema = await bodyFaults(context.operation, body);
  const found = await findings(context.operation.checks ?? [], body, context);
  const refused = new Set(schema.faults.map((fault) => fault.path));
  const faults = found.filter((finding) => !finding.note && !refused.has(finding.path)).map(plain);
  const notes = found.filter((finding) => finding.note).map((finding) => `${finding.path}: ${finding.message}.`);
  return { faults: [...schema.faults, ...faults], notes: [...schema.notes, ...notes] };
}

async function findings(names: readonly string[], body: TreeObject, context: BodyContext): Promise<BodyFinding[]> {
  const { operation, current } = context;
  const whole = context.whole ?? (operation.action === 'create' || operation.action.endsWith(' create'));
  const found: BodyFinding[] = [];
  for (const name of new Set(names)) {
    const load = Object.hasOwn(CHECKS, name) ? CHECKS[name as CheckName] : undefined;
    if (load) for await (const finding of (await load())(body, { whole, current })) found.push(finding);
  }
  return found;
}

function plain({ path, message }: BodyFinding): Fault {
  return { path, message };
}

/** All check names, for the test that compares them with the catalogue. */
export const CHECK_LIST: readonly string[] = Object.keys(CHECKS);
