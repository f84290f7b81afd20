import { isEmail } from '../../catalogue/value-formats.js';
import { fault, isBlank, listBelow, note, objectBelow, textBelow, valueBelow } from './body-values.js';
import type { Check } from './types.js';

const MAILS = ['customer_account_confirm_email', 'customer_account_password_reset'] as const;
const SHORTCODE = '{{email_code}}';

/** service.md#customer-portals: e-mails that carry their code, and complete captcha keys. */
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
      for (const [index, address] of listBelow(mail, list).entries()) {
        if (typeof address === 'string' && !isAddress(address))
          yield fault(`${path}.${list}[${index}]`, 'is not an e-mail address');
      }
    }
  }
  for (const name of ['site_key', 'secret_key']) {
    const key = textBelow(body, 'recaptcha', name);
    if (key !== undefined && isBlank(key)) yield fault(`recaptcha.${name}`, 'is empty: both keys are needed');
  }
  if (valueBelow(body, 'create_non_existing_customer') === true)
    yield note('create_non_existing_customer', 'lets people register who are no customers; false is recommended');
};

/** A shortcode stands for an address that is only known when the mail is sent. */
function isAddress(text: string): boolean {
  return isEmail(text) || /\{\{.+\}\}/.test(text);
}

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
