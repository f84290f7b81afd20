import type { Field } from '../../catalogue/types.js';
import type { Stored } from '../store/item-store.js';
import { isItem, listUnder, objectUnder, type Value } from '../store/item-values.js';
import { keptAs, modeOf, singular, spoken } from '../store/kinds.js';
import { checkShown } from './accepted-fields.js';
import { type Call, newItemHead, type OperationAnswer, type Rules } from './call.js';
import { link, propertyOf, refer, unfold } from './item-references.js';
import { invalid, notFound } from './refusals.js';
import { CREATE_DEFAULTS } from './shapes.js';
import { checkTransition } from './transitions.js';

/** Answers the retrieval of one item, with its fields at the top level. */
export function answerGet(call: Call): OperationAnswer {
  const family = keptAs(call.operation.path, call.family.name);
  const id = call.ids.at(-1) as string;
  const text = call.store.text(family, id, modeOf(family, call.live));
  if (text === undefined) throw missing(family, id);
  return text;
}

/**
 * Makes an item from the body's properties, in the form that reads show. `defaults` fills in what the body leaves out;
 * `extra` holds the service's own fields and wins.
 */
export function create(call: Call, extra: Value = {}, defaults: Value = {}): Stored {
  const family = keptAs(call.operation.path, call.family.name);
  const id = call.newId();
  const { idempotency_key: _, ...body } = call.body;
  const value: Value = {
    ...newItemHead(call, id),
    ...('enabled' in (call.operation.body?.fields ?? {}) ? { enabled: true } : {}),
    ...CREATE_DEFAULTS[family],
    ...defaults,
    ...merge({ ...CREATE_DEFAULTS[family], ...defaults }, written(call, body, id)),
    ...extra,
  };
  checkUnique(call, family, value);
  const { id: customer } = objectUnder(value, 'customer');
  return call.store.insert(family, value, {
    live: modeOf(family, call.live),
    ...(typeof customer === 'string' && { customer }),
  });
}

/** Changes only the properties that the body names; arrays are replaced, objects merged (service.md#conventions). */
export function edit(call: Call, item: Stored, extra: Value = {}): Stored {
  const { idempotency_key: _, ...body } = call.body;
  checkShown(call.operation, body, item.value);
  const changes: Value = { ...merge(item.value, written(call, body, item.id)), ...extra };
  checkUnique(call, item.family, { ...item.value, ...changes }, item.id);
  return call.store.update(item, changes, call.now);
}

export function answerCreate(call: Call): OperationAnswer {
  return done(call, create(call).id);
}

export function answerEdit(call: Call): OperationAnswer {
  return done(call, edit(call, required(call)).id);
}

/** The create and the edit of a family whose bodies are checked first. */
export function checking(family: string, check: (call: Call) => void): Rules {
  return {
    [`POST /${family}`]: (call) => {
      check(call);
      return answerCreate(call);
    },
    [`POST /${family}/{}`]: (call) => {
      const item = required(call);
      check(call);
      edit(call, item);
    },
  };
}

export function answerDelete(call: Call): OperationAnswer {
  const item = required(call);
  call.store.remove(item);
  return done(call, item.id);
}

/** Writes properties to the item that the path names. */
export function change(call: Call, changes: Value, more?: Value): OperationAnswer {
  const item = required(call);
  call.store.update(item, changes, call.now);
  return done(call, item.id, more);
}

/**
 * Adds items of a family to a list of `{id, name}`, or removes them; the body names one or several.
 * @throws Refusal 400 when it names none, or one that does not exist.
 */
export function changeMembers(call: Call, property: string, family: string, add: boolean): OperationAnswer {
  const item = required(call);
  const name = singular(family);
  const ids = [call.body[name] ?? call.body[`${name}_id`]].flat().filter((id): id is string => typeof id === 'string');
  if (ids.length === 0) throw invalid(`${name} is required.`);
  const others = listUnder(item.value, property).filter((one) => !ids.includes(String(one.id)));
  const added = add ? ids.map((id) => refer(call, family, id)) : [];
  return change(call, { [property]: [...others, ...added] });
}

/** The item that the path names last. */
export function required(call: Call): Stored {
  const family = keptAs(call.operation.path, call.family.name);
  return requireItem(call, family, call.ids.at(-1) as string);
}

/**
 * The same, in a state that allows the operation (`transitions.ts`). @throws Refusal 404, or 400 in any other state.
 */
export function ready(call: Call): Stored {
  const item = required(call);
  checkTransition(singular(item.family), item.value.status, call.operation.action.split(' ').at(-1) as string);
  return item;
}

export function requireItem(scene: Pick<Call, 'store' | 'live'>, family: string, id: string): Stored {
  const item = scene.store.get(family, id, modeOf(family, scene.live));
  if (!item) throw missing(family, id);
  return item;
}

/**
 * Checks that the integration in a body is of a site type (service.md#integrations), as each type does one thing.
 * @throws Refusal 400 when it is of another type.
 */
export function checkIntegration(call: Call, type: string): void {
  const id = call.body.third_party_integration;
  if (typeof id !== 'string' || id === '') return;
  const { value } = requireItem(call, 'user_third_party_integrations', id);
  if (objectUnder(value, 'site_third_party_integration').integration_type !== type)
    throw invalid(`third_party_integration must be of the site type ${type}.`);
}

function missing(family: string, id: string) {
  return notFound(`${spoken(family)} ${id} does not exist.`);
}

/** The answer of a create, edit or action: the resource's id and `result` (service.md#envelopes). */
export function done(call: Call, id: string, more: Value = {}): OperationAnswer {
  const name = call.operation.answerId ?? `${singular(keptAs(call.operation.path, call.family.name))}_id`;
  return { [name]: id, ...more, result: 'success' };
}

/** The body's properties in the form that an item shows; secrets are stored separately. */
function written(call: Call, body: Value, id: string): Value {
  const fields = call.operation.body?.fields ?? {};
  const value: Value = {};
  for (const [name, content] of Object.entries(body)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const shown = hideSecrets(call, id, name, content, field);
    if (shown === undefined) continue;
    const known = field ?? propertyOf(call, name);
    const path = known?.readFrom ?? name;
    const linked = link(call, name, shown, known);
    if (linked !== undefined && (known?.readFrom === undefined || path.endsWith('id'))) {
      Object.assign(value, { [path.split('.')[0] as string]: linked });
    } else unfold(value, path, shown);
  }
  return value;
}

function hideSecrets(call: Call, id: string, name: string, content: unknown, field: Field | undefined): unknown {
  if (
    field?.secret ||
    /^(?:password|secret|secret_key|api_key|private_key|client_secret)$/.test(name.split('.').at(-1) as string)
  ) {
    call.store.keepSecret(`${id}.${name}`, { value: content });
    return undefined;
  }
  if (!field?.fields || !isItem(content)) return content;
  const shown = Object.entries(content).map(([inner, value]) => [
    inner,
    hideSecrets(call, id, `${name}.${inner}`, value, field.fields?.[inner]),
  ]);
  return Object.fromEntries(shown.filter(([, value]) => value !== undefined));
}

/** Drops undefined fields, so that `update` leaves them as they are instead of removing them. */
export function given(fields: Value): Value {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The changes with objects merged, property by property, over the existing ones; any other value replaces. */
export function merge(old: Value, changes: Value): Value {
  const result: Value = {};
  for (const [name, value] of Object.entries(changes)) {
    const before = old[name];
    const both = isItem(before) && isItem(value) && !('id' in value);
    result[name] = both ? { ...before, ...merge(before, value) } : value;
  }
  return result;
}

/** Refuses the second use of a name that must be unique (the catalogue says which). */
export function checkUnique(call: Call, family: string, value: Value, own?: string): void {
  const keys = family === call.family.name ? call.family.keys.filter(({ unique }) => unique) : [];
  for (const { field } of keys) {
    const wanted = value[field];
    if (typeof wanted !== 'string' || wanted === '') continue;
    for (const other of call.store.named(family, modeOf(family, call.live), field, wanted))
      if (other.id !== own && other.value[field] === wanted)
        throw invalid(`${spoken(family)}: the ${field} ${JSON.stringify(wanted)} is already in use.`);
  }
}
