import { isEmail } from '../../catalogue/value-formats.js';
import type { TreeObject } from '../json/tree.js';
import {
  fault,
  isBlank,
  isSet,
  listBelow,
  needs,
  note,
  numberAt,
  objectBelow,
  textBelow,
  valueBelow,
} from './body-values.js';
import type { BodyFindings, Check } from './types.js';

const MAILS = ['customer_account_confirm_email', 'customer_account_password_reset'] as const;
const SHORTCODE = '{{email_code}}';

/** service.md#customer-portals: e-mails contain their code, and captcha keys are complete. */
export const customerPortal: Check = function* (body) {
  for (const name of MAILS) {
    const mail = objectBelow(body, 'customer_emails', name);
    const path = `customer_emails.${name}`;
    const html = textBelow(mail, 'html');
    if (html !== undefined && !html.includes(SHORTCODE))
      yield fault(`${path}.html`, `must contain the shortcode ${SHORTCODE}, or nobody can confirm the address`);
    const from = textBelow(mail, 'from');
    if (from !== undefined && !isAddress(from)) yield fault(`${path}.from`, 'is not an e-mail address');
    for (const list of ['to_cc', 'to_bcc']) {
      for (const [index, address] of listBelow(mail, list).entries())
        if (typeof address === 'string' && !isAddress(address))
          yield fault(`${path}.${list}[${index}]`, 'is not an e-mail address');
    }
  }
  for (const name of ['site_key', 'secret_key']) {
    const key = textBelow(body, 'recaptcha', name);
    if (key !== undefined && isBlank(key)) yield fault(`recaptcha.${name}`, 'is empty: both keys are needed');
  }
  if (valueBelow(body, 'create_non_existing_customer') === true)
    yield note('create_non_existing_customer', 'lets people who are not customers register; false is recommended');
};

/** A shortcode is replaced by an address when the mail is sent. */
const isAddress = (text: string): boolean => isEmail(text) || /\{\{.+\}\}/.test(text);

/** service.md#envelopes: names of 1 to 100 and values of 1 to 255 characters, wherever `metadata` pairs are written. */
export const checkMetadata: Check = function* (body) {
  for (const [index, pair] of listBelow(body, 'metadata').entries()) {
    for (const [part, most] of [
      ['name', 100],
      ['value', 255],
    ] as const) {
      const text = textBelow(pair, part);
      if (text !== undefined && (text.length < 1 || text.length > most))
        yield fault(`metadata[${index}].${part}`, `must have 1 to ${most} characters, these are ${text.length}`);
    }
  }
};

const KINDS = ['unit', 'calendar', 'fiscal'] as const;
const EXAMPLES: Readonly<Record<(typeof KINDS)[number], string>> = {
  unit: 'frequency_unit.unit and frequency_unit.value',
  calendar: 'frequency_calendar.unit, .value and .parent',
  fiscal: 'frequency_fiscal.unit and .setting',
};
/** A parent unit must be larger than the unit, so that an nth unit exists in it. */
const SIZES: Readonly<Record<string, number>> = { day: 1, week: 2, month: 3, year: 4 };

/**
 * service.md#subscription-profiles rules 1 and 2: a frequency and its settings object go together. The service silently
 * ignores settings without their frequency, so they are refused here. Also checks what each setting needs.
 */
export const frequency: Check = function* (body, context) {
  const chosen = textBelow(body, 'frequency');
  for (const kind of KINDS) {
    const name = `frequency_${kind}`;
    const given = valueBelow(body, name) !== undefined;
    if (chosen === kind && !given)
      yield fault(name, `frequency ${kind} needs its settings in the same body: give ${EXAMPLES[kind]}`);
    else if (given && chosen === undefined)
      yield fault(name, `the service ignores it unless frequency is in the same body: add frequency=${kind}`);
    else if (given && chosen !== kind)
      yield fault(
        name,
        `the service ignores it because frequency is ${chosen}: leave it out, or set frequency=${kind}`,
      );
  }
  yield* fiscal(objectBelow(body, 'frequency_fiscal'));
  yield* calendar(objectBelow(body, 'frequency_calendar'));
  const occurrences = textBelow(body, 'occurrences');
  const wanted = 'occurrences specific needs the number of renewals: set occurrences_value';
  if (occurrences === 'specific') yield* needs(body, context, ['occurrences_value'], wanted);
  if (occurrences === 'indefinite' && isSet(valueBelow(body, 'occurrences_value')))
    yield note('occurrences_value', 'has no meaning with occurrences indefinite');
  const gateway = objectBelow(body, 'prefer_gateway');
  if (valueBelow(gateway, 'lock_gateway') === true && valueBelow(gateway, 'enabled') === false)
    yield note('prefer_gateway.lock_gateway', 'has an effect only when prefer_gateway.enabled is true');
};

function* fiscal(settings: TreeObject | undefined): BodyFindings {
  const [setting, value] = [textBelow(settings, 'setting'), valueBelow(settings, 'value')];
  const path = 'frequency_fiscal.value';
  if (setting === 'infrequent' && (value === undefined || value === null))
    yield fault(path, 'setting infrequent needs the nth quarter or year: set frequency_fiscal.value');
  if (setting === 'standard' && isSet(value))
    yield note(path, 'is used only when frequency_fiscal.setting is infrequent');
}

function* calendar(settings: TreeObject | undefined): BodyFindings {
  const [unit = '', parent = ''] = [textBelow(settings, 'unit'), textBelow(settings, 'parent')];
  const [part, whole] = [SIZES[unit], SIZES[parent]];
  if (part !== undefined && whole !== undefined && part >= whole)
    yield note('frequency_calendar.parent', `a ${unit} is not part of a ${parent}: there is no nth ${unit}`);
}

/** service.md#subscription-profiles rules 3 and 4, as notes before the edit. */
export const reach: Check = function* (body, context) {
  const specific = valueBelow(context.current, 'subscription_specific') === true;
  if (isSet(valueBelow(body, 'frequency')) && !specific)
    yield note('frequency', 'a changed billing frequency affects all subscriptions that use this profile');
  if (isSet(valueBelow(body, 'shipping_profile')))
    yield note('shipping_profile', 'its first rate is used, and none of its rules are evaluated');
};

const LISTS = ['products', 'product_groups', 'countries', 'revenue_rules'] as const;

/** service.md#shipping-rates: a rate without an enabled qualifier is invalid. */
export const shippingRates: Check = function* (body, context) {
  if (context.whole && valueBelow(body, 'rates') === undefined)
    yield note('rates', 'a profile should have at least one rate');
  for (const [index, rate] of listBelow(body, 'rates').entries()) {
    const entries = LISTS.flatMap((list) => listBelow(rate, 'qualifiers', list));
    if (!entries.some((entry) => valueBelow(entry, 'enabled') === true))
      yield fault(`rates[${index}].qualifiers`, `at least one enabled qualifier is needed, in ${LISTS.join(', ')}`);
    const price = numberAt(rate, 'rate');
    if (price !== undefined && price < 0) yield fault(`rates[${index}].rate`, 'a shipping charge cannot be below zero');
  }
};
