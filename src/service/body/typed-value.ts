import { typeName } from '../../catalogue/body-fields.js';
import type { Field } from '../../catalogue/types.js';
import { isNumberText, NumberText, type Tree } from '../../items/json/tree.js';
import { amountFault } from '../../items/select/amounts.js';

/** A text that cannot become a value of its field; the message never repeats the text, which may be secret. */
export class ValueFault extends Error {
  override readonly name = 'ValueFault';
}

/**
 * The value that a text on the command line means for a field: texts stay texts (`007`), numbers keep their
 * digits, `null` is null only where the field may be. Without a known field it is text. Throws {@link ValueFault}.
 * @param digits of the currency of a sum, where it is known
 */
export function typedValue(field: Field | undefined, text: string, path: string, digits?: number): Tree {
  if (!field || field.type === 'any') return text;
  if (text === 'null' && field.nullable) return null;
  switch (field.type) {
    case 'string':
      return text;
    case 'boolean':
      if (text === 'true' || text === 'false') return text === 'true';
      throw new ValueFault('true or false is expected');
    case 'integer':
    case 'number': {
      const fault =
        field.means === 'money' || field.type === 'integer' ? amountOrCount(field, text, digits) : undefined;
      if (fault !== undefined) throw new ValueFault(fault);
      if (!isNumberText(text)) {
        if (field.means === 'money' && /^(?:[\d.]+\s*%|half)$/i.test(text))
          throw new ValueFault(
            'a sum is expected (such as 10.00): a percent is understood in the refund of one item only',
          );
        const form =
          field.type === 'integer' ? 'digits only, such as 42' : 'digits with a decimal point, such as 10.00';
        throw new ValueFault(`${typeName(field.type)} is expected (${form})`);
      }
      return new NumberText(text);
    }
    case 'array':
      if (field.oneOk && field.items) return typedValue(field.items, text, path);
      throw new ValueFault(`is a list: add one element with ${path}[]=..., or give it whole with ${path}:='[...]'`);
    case 'object': {
      const member = Object.keys(field.fields ?? {})[0] ?? 'name';
      throw new ValueFault(`is an object: set ${path}.${member}=..., or give it whole with ${path}:='{...}'`);
    }
  }
}

/** A whole number knows no fraction, so that `1.000` is no 1 there either. */
function amountOrCount({ type }: Field, text: string, digits: number | undefined): string | undefined {
  return type === 'integer' ? (/[.,]\d{3}$/.test(text) ? amountFault(text, 0) : undefined) : amountFault(text, digits);
}

/** True when a text of an unknown field looks like something else than text, which deserves a note. */
export function looksLikeJson(text: string): boolean {
  return text === 'true' || text === 'false' || text === 'null' || isNumberText(text) || /^[[{]/.test(text);
}
