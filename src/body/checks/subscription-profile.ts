import { at, fault, isSet, listAt, needs, note, numberAt, objectAt, textAt } from './read.js';
import type { Check, Finding } from './types.js';

const KINDS = ['unit', 'calendar', 'fiscal'] as const;
const EXAMPLES: Readonly<Record<(typeof KINDS)[number], string>> = {
  unit: 'frequency_unit.unit and frequency_unit.value',
  calendar: 'frequency_calendar.unit, .value and .parent',
  fiscal: 'frequency_fiscal.unit and .setting',
};
/** Larger than their part, so that an nth part of them exists. */
const SIZES: Readonly<Record<string, number>> = { day: 1, week: 2, month: 3, year: 4 };

/**
 * Spec 4.7 rules 1 and 2: a frequency and its settings object go together. The service would silently ignore
 * settings without their frequency, so they are refused here. Spec 2.3: what each setting needs.
 */
export const frequency: Check = (body, context) => {
  const found: Finding[] = [];
  const chosen = textAt(body, 'frequency');
  for (const kind of KINDS) {
    const name = `frequency_${kind}`;
    const given = at(body, name) !== undefined;
    if (chosen === kind && !given) {
      found.push(fault(name, `frequency ${kind} needs its settings in the same body: give ${EXAMPLES[kind]}`));
    } else if (given && chosen === undefined) {
      found.push(fault(name, `the service ignores it unless frequency is in the same body: add frequency=${kind}`));
    } else if (given && chosen !== kind) {
      found.push(
        fault(name, `the service ignores it because frequency is ${chosen}: leave it out, or set frequency=${kind}`),
      );
    }
  }
  found.push(...fiscal(body), ...calendar(body));
  if (textAt(body, 'occurrences') === 'specific') {
    const message = 'occurrences specific needs the number of renewals: set occurrences_value';
    found.push(...needs(body, context, ['occurrences_value'], 'occurrences_value', message));
  }
  if (textAt(body, 'occurrences') === 'indefinite' && isSet(at(body, 'occurrences_value'))) {
    found.push(note('occurrences_value', 'has no meaning with occurrences indefinite'));
  }
  const gateway = objectAt(body, 'prefer_gateway');
  if (at(gateway, 'lock_gateway') === true && at(gateway, 'enabled') === false) {
    found.push(note('prefer_gateway.lock_gateway', 'has a meaning only when prefer_gateway.enabled is true'));
  }
  return found;
};

function fiscal(body: Parameters<Check>[0]): Finding[] {
  const settings = objectAt(body, 'frequency_fiscal');
  const value = at(settings, 'value');
  const path = 'frequency_fiscal.value';
  if (textAt(settings, 'setting') === 'infrequent' && (value === undefined || value === null)) {
    return [fault(path, 'setting infrequent needs the nth quarter or year: set frequency_fiscal.value')];
  }
  const useless = textAt(settings, 'setting') === 'standard' && isSet(value);
  return useless ? [note(path, 'is used only when frequency_fiscal.setting is infrequent')] : [];
}

function calendar(body: Parameters<Check>[0]): Finding[] {
  const settings = objectAt(body, 'frequency_calendar');
  const [unit, parent] = [textAt(settings, 'unit'), textAt(settings, 'parent')];
  if (unit === undefined || parent === undefined) return [];
  const [part, whole] = [SIZES[unit], SIZES[parent]];
  if (part === undefined || whole === undefined || part < whole) return [];
  return [note('frequency_calendar.parent', `a ${unit} is no part of a ${parent}: no nth ${unit} will be found`)];
}

/** Spec 4.7 rules 3 and 4, told before the edit. */
export const reach: Check = (body, context) => {
  const found: Finding[] = [];
  const specific = at(context.current, 'subscription_specific') === true;
  if (isSet(at(body, 'frequency')) && !specific) {
    found.push(note('frequency', 'a changed billing frequency affects all subscriptions that use this profile'));
  }
  if (isSet(at(body, 'shipping_profile'))) {
    found.push(note('shipping_profile', 'its first rate is used, and none of its rules are evaluated'));
  }
  return found;
};

const LISTS = ['products', 'product_groups', 'countries', 'revenue_rules'] as const;

/** Spec 4.11: a rate without an enabled qualifier is invalid. */
export const shippingRates: Check = (body, context) => {
  const found: Finding[] = [];
  if (context.whole && at(body, 'rates') === undefined)
    found.push(note('rates', 'a profile is expected to have at least one rate'));
  for (const [index, rate] of listAt(body, 'rates').entries()) {
    const enabled = LISTS.some((list) =>
      listAt(rate, 'qualifiers', list).some((entry) => at(entry, 'enabled') === true),
    );
    if (!enabled) {
      found.push(
        fault(`rates[${index}].qualifiers`, `at least one enabled qualifier is needed, in ${LISTS.join(', ')}`),
      );
    }
    const price = numberAt(rate, 'rate');
    if (price !== undefined && price < 0)
      found.push(fault(`rates[${index}].rate`, 'a shipping charge is not below zero'));
  }
  return found;
};
