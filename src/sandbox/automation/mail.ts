import { newItemHead, type Scene } from '../rules/call.js';
import type { Stored } from '../store/item-store.js';
import { idsUnder, objectUnder, type Value } from '../store/item-values.js';
import { eventObject } from './event-object.js';
import { callFunction, objectOf, recordRun } from './functions.js';
import type { Host, Write } from './host.js';
import { aboutItem, type Occasion } from './occasions.js';
import { fill, UnfilledError } from './shortcodes.js';

/** The subject of a mail, as far as it has been read. */
interface About {
  readonly id: string;
  readonly occasion: Occasion;
  readonly item?: Stored | undefined;
}

/**
 * The values that shortcodes may use: the item under its type, its customer, the event, the mail's data, the arguments.
 * reading: mail-data
 */
export function mailData(
  scene: Scene,
  occasion: Occasion,
  custom: Value = {},
  item = aboutItem(scene.store, occasion),
): Value {
  const customerId = item?.family === 'customers' ? item.id : item?.customer;
  const customer = customerId ? scene.store.get('customers', customerId, scene.live)?.value : undefined;
  return {
    ...occasion.arguments,
    ...custom,
    custom_arguments: occasion.arguments ?? {},
    custom_data: custom,
    event: eventObject({ ...occasion, now: scene.now, item: item?.value }),
    ...(item ? { item: item.value, [occasion.itemType as string]: item.value } : {}),
    ...(customer ? { customer } : {}),
  };
}

/**
 * Fills a template and files the mail as sent. Nothing leaves the machine.
 * @throws UnfilledError for a shortcode without a value, or without any recipient
 */
export function sendMail(
  scene: Scene,
  template: Stored,
  facts: About & { readonly data: Value; readonly to?: readonly string[] },
): void {
  const { value } = template;
  const profile = objectUnder(value, 'smtp_profile').id;
  const server = typeof profile === 'string' ? scene.store.get('smtp_profiles', profile, scene.live) : undefined;
  if (!server || server.value.enabled === false)
    throw new UnfilledError('The SMTP profile of the template is not active.');
  const recipients = recipientsOf(value, facts);
  if (recipients.length === 0) throw new UnfilledError('The message has no recipient.');
  fileMail(scene, template, facts, {
    subject: fill(String(value.template_subject ?? ''), facts.data),
    from: fill(String(value.template_from ?? ''), facts.data),
    to: recipients,
    html: fill(String(value.template_html ?? ''), facts.data, true),
  });
}

/** An address shortcode without a value drops out; the remaining recipients get the mail. reading: mail-recipients */
function recipientsOf(template: Value, facts: { readonly data: Value; readonly to?: readonly string[] }): string[] {
  const found = new Set<string>(facts.to ?? []);
  for (const one of idsUnder(template, 'template_to')) {
    try {
      found.add(fill(one, facts.data));
    } catch (error) {
      if (!(error instanceof UnfilledError)) throw error;
    }
  }
  return [...found].filter((one) => one.trim() !== '');
}

function fileMail(
  scene: Scene,
  template: Stored,
  { id, occasion, item = aboutItem(scene.store, occasion) }: About,
  letter: Value,
): void {
  const customer = item?.family === 'customers' ? item.id : item?.customer;
  const mail: Value = {
    ...newItemHead(scene, id),
    live_mode: scene.live,
    status: 'error' in letter ? 'error' : 'sent',
    email_template: { id: template.id, name: template.value.name },
    subject: template.value.template_subject,
    from: template.value.template_from,
    to: template.value.template_to ?? [],
    ...letter,
    custom_arguments: Object.entries(occasion.arguments ?? {}).map(([name, value]) => ({ name, value })),
    ...(occasion.notation ? { notation: occasion.notation } : {}),
    ...(item ? { item_type: occasion.itemType, item_id: item.id } : {}),
    ...(customer ? { customer_id: customer } : {}),
  };
  scene.store.insert('smtp_messages', mail, { live: scene.live, customer });
}

/** The mail of an event: its data comes from the template or from a function. */
export async function prepareMail(scene: Scene, host: Host, id: string, occasion: Occasion): Promise<Write> {
  const template = scene.store.get('email_templates', occasion.what, scene.live);
  if (!template || template.value.enabled === false) return undefined;
  const maker = makerOf(template.value);
  const run = maker && (await callFunction(scene, host, maker, occasion, 'email_template'));
  return () => {
    if (run) recordRun(scene, scene.newId(), run);
    postMail(scene, template, id, occasion, run ? objectOf(run) : {});
  };
}

/** The function that makes a template's data, if it names one. */
export function makerOf(template: Value): string | undefined {
  const maker = objectUnder(template, 'custom_data').function;
  return typeof maker === 'string' && maker !== '' ? maker : undefined;
}

/** Sends the mail of an event; stores a mail that cannot be filled with the reason. */
export function postMail(scene: Scene, template: Stored, id: string, occasion: Occasion, made: Value = {}): void {
  const custom = { ...(objectUnder(template.value, 'custom_data').json as Value | undefined), ...made };
  const item = aboutItem(scene.store, occasion);
  try {
    sendMail(scene, template, { id, occasion, item, data: mailData(scene, occasion, custom, item) });
  } catch (error) {
    if (!(error instanceof UnfilledError)) throw error;
    fileMail(scene, template, { id, occasion, item }, { error: error.message });
  }
}
