import type { Field } from '../catalogue/types.js';
import type { Managed } from './families.js';

/** Families that the fields of a family name, each with the path of the field. */
export function managedReferences(managed: Managed): readonly { readonly to: string; readonly field: string }[] {
  const found: { to: string; field: string }[] = [];
  const walk = (fields: Readonly<Record<string, Field>>, path: string): void => {
    for (const [name, field] of Object.entries(fields)) {
      const here = path === '' ? name : `${path}.${name}`;
      for (const to of field.refers ?? []) found.push({ to: to.replaceAll('_', '-'), field: here });
      walk(field.fields ?? {}, here);
      walk(field.items?.fields ?? {}, `${here}[]`);
    }
  };
  walk(managed.fields, '');
  return found;
}
