import { bodyFieldAt, rootField } from '../../catalogue/body-fields.js';
import type { Field, Operation } from '../../catalogue/types.js';
import { isEmpty, isObject, NumberText, ownMember, type Tree, type TreeObject, walk } from '../json/tree.js';
import { isCardNumber, isSecretByNames, isSecretName } from './secret-fields.js';

type Parts = readonly (string | number)[];

/** True when a value at the path is secret, by its field, its name, or what it is part of. */
export function isSecretPath(operation: Operation | undefined, parts: Parts): boolean {
  if (isSecretByNames(parts)) return true;
  return (
    operation !== undefined && parts.some((_, index) => bodyFieldAt(operation, parts.slice(0, index + 1)).field?.secret)
  );
}

/** Every place of a body that holds a secret, in order; nothing below a place is listed again. */
export function secretPlaces(operation: Operation | undefined, body: Tree): (string | number)[][] {
  const places: (string | number)[][] = [];
  walk(body, (parts, value, parent) => {
    const last = places.at(-1);
    if (last?.every((part, index) => parts[index] === part)) return;
    if (isEmpty(value)) return;
    const bySchema = operation !== undefined && bodyFieldAt(operation, parts).field?.secret === true;
    const name = parts.at(-1);
    const whole = bySchema || (typeof name === 'string' && isSecretName(name));
    const leaf = typeof value !== 'object' || !(Array.isArray(value) || isObject(value));
    // Where the service's names are not known, a card number is known by itself.
    const card = leaf && !(operation && bodyFieldAt(operation, parts).field) && isCardNumber(plainText(value));
    // The value of an encrypted variable is hidden on retrieval (service.md#other-items), so it is hidden here.
    const encrypted = name === 'value' && isObject(parent) && parent.encrypted === true;
    if (whole || encrypted || card || (leaf && isSecretPath(operation, parts))) places.push([...parts]);
  });
  return places;
}

function plainText(value: Tree | undefined): string {
  return value instanceof NumberText ? value.text : String(value);
}

/** Paths of the secret fields of an operation, as patterns (`fields[].value`), for help and prompts. */
export function secretFields(operation: Operation): string[] {
  const found: string[] = [];
  const step = (field: Field, path: string, parts: Parts): void => {
    for (const [name, member] of Object.entries(field.fields ?? {})) {
      const below = path === '' ? name : `${path}.${name}`;
      const inside = [...parts, name];
      const plain = member.fields === undefined && member.items === undefined;
      if (member.secret || isSecretName(name) || (plain && isSecretPath(operation, inside))) found.push(below);
      else step(member, below, inside);
    }
    if (field.items) step(field.items, `${path}[]`, [...parts, 0]);
  };
  step(rootField(operation), '', []);
  return found;
}

/** The places for a masked prompt: secrets that are required, or missing in what is there (a card's number). */
export function secretsToAsk(operation: Operation, body: TreeObject): (string | number)[][] {
  const places: (string | number)[][] = [];
  const step = (value: Tree | undefined, field: Field, parts: Parts): void => {
    if (field.type === 'array' && field.items && Array.isArray(value)) {
      for (const [index, element] of value.entries()) step(element, field.items, [...parts, index]);
    }
    if (field.type !== 'object' || !isObject(value)) return;
    for (const [name, member] of Object.entries(field.fields ?? {})) {
      const place = [...parts, name];
      const given = ownMember(value, name);
      if (member.fields || member.items) step(given, member, place);
      else if (given === undefined && isSecretPath(operation, place) && (parts.length > 0 || member.required)) {
        places.push(place);
      }
    }
  };
  step(body, rootField(operation), []);
  return places;
}
