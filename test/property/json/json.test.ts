import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compact, indent, slicePage, withoutMembers } from '../../../src/items/json/item-json.js';
import { leafPaths, parseLossless, textOf } from '../../../src/items/json/lossless.js';
import { Picker } from '../../../src/items/json/pick-values.js';
import { JsonFault } from '../../../src/items/json/scan.js';
import { literal, object, space, value } from './arbitrary.js';

const runs = { numRuns: 400 };

function bytes(text: string): Buffer {
  return Buffer.from(text, 'utf8');
}

/** Lone surrogates cannot leave as UTF-8; JSON from a service has none outside escapes. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

test('elements of results come out byte for byte, wherever else such names stand', () => {
  fc.assert(
    fc.property(
      fc.array(value, { maxLength: 6 }),
      fc.array(fc.tuple(literal(fc.constantFrom('result', 'data', 'Results', 'total', 'x')), value), { maxLength: 4 }),
      fc.nat(4),
      space,
      literal(fc.constant('results')),
      (items, others, place, gap, results) => {
        const texts = items.map((item) => wellFormed(item.loose));
        const members = others.map(([key, other]) => `${key}${gap}:${wellFormed(other.loose)}`);
        members.splice(place % (members.length + 1), 0, `${results}:${gap}[${gap}${texts.join(`${gap},`)}${gap}]`);
        const body = bytes(`${gap}{${gap}${members.join(',')}}${gap}`);
        const page = slicePage(body);
        expect(page.hasResults).toBe(true);
        expect(page.items.map((item) => item.raw)).toEqual(texts);
        expect(Buffer.concat(page.items.map((item) => item.bytes)).toString()).toBe(texts.join(''));
        for (const [index, item] of page.items.entries()) {
          expect(item.tight).toBe(items[index]?.tight === items[index]?.loose);
          const parsed = JSON.parse(item.raw);
          const plain = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? parsed : {};
          const own = (field: string): unknown => (Object.hasOwn(plain, field) ? plain[field] : undefined);
          if (typeof own('id') === 'string') expect(item.id).toBe(own('id'));
          else if (typeof own('id') === 'number') expect(Number(item.id)).toBe(own('id'));
          else expect(item.id).toBeUndefined();
          const mode = own('live_mode');
          expect(item.liveMode).toBe(typeof mode === 'boolean' || mode === undefined ? mode : null);
        }
      },
    ),
    runs,
  );
});

test('what JSON.parse refuses, the slicer refuses, and the other way round', () => {
  fc.assert(
    fc.property(
      object,
      fc.nat(),
      fc.constantFrom('cut', 'drop', 'double', ',', '"', '}', ']', '01', 'x', '\\', '\u0001', '.', '-', 'e', ' '),
      (made, seed, change) => {
        const text = wellFormed(made.loose);
        const at = seed % (text.length + 1);
        const broken =
          change === 'cut'
            ? text.slice(0, at)
            : change === 'drop'
              ? text.slice(0, at) + text.slice(at + 1)
              : change === 'double'
                ? text.slice(0, at) + text.slice(Math.max(0, at - 1))
                : text.slice(0, at) + change + text.slice(at);
        const body = bytes(broken);
        let valid = true;
        let names: string[] = [];
        try {
          const parsed = JSON.parse(body.toString());
          valid = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
          names = valid ? (body.toString().match(/results|\\u0072/g) ?? []) : [];
        } catch {
          valid = false;
        }
        // A second "results" at the top is refused on purpose; such texts prove nothing here.
        fc.pre(names.length < 2);
        if (valid) expect(() => slicePage(body)).not.toThrow();
        else expect(() => slicePage(body)).toThrow(JsonFault);
      },
    ),
    { numRuns: process.env.COPS_LONG === '1' ? 3000 : 1000 },
  );
});

test('random bytes are refused with a fault, never with another error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (noise) => {
      const body = Buffer.concat([bytes('{"results":['), noise]);
      try {
        slicePage(body);
      } catch (error) {
        expect(error).toBeInstanceOf(JsonFault);
      }
    }),
    { numRuns: process.env.COPS_LONG === '1' ? 2000 : 700 },
  );
});

test('compact takes whitespace away and nothing else', () => {
  fc.assert(
    fc.property(value, ({ tight, loose }) => {
      expect(compact(loose)).toBe(tight);
      expect(compact(tight)).toBe(tight);
    }),
    runs,
  );
});

test('indent lays out as JSON.stringify does, and compacts back to the same text', () => {
  fc.assert(
    fc.property(value, ({ tight, loose }) => {
      expect(compact(indent(loose))).toBe(tight);
      expect(indent(indent(loose))).toBe(indent(tight));
    }),
    runs,
  );
  fc.assert(
    fc.property(fc.jsonValue(), (plain) => {
      expect(indent(JSON.stringify(plain))).toBe(JSON.stringify(plain, null, 2));
    }),
    runs,
  );
});

test('parsing keeps the text of every number and the value of everything else', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (plain) => {
      expect(textOf(parseLossless(JSON.stringify(plain)))).toBe(JSON.stringify(JSON.parse(JSON.stringify(plain))));
    }),
    runs,
  );
});

test('a picked path has the text that stands there, and parses to what JSON.parse finds', () => {
  fc.assert(
    fc.property(object, ({ loose }) => {
      const text = wellFormed(loose);
      const paths = leafPaths(parseLossless(text)).filter((path) => path.split('.').every((step) => step !== ''));
      const found = new Picker(paths).pick(text);
      for (const [index, path] of paths.entries()) {
        const steps = path.split('.');
        let expected: unknown = JSON.parse(text);
        let follows = !path.includes('[');
        for (const step of steps) {
          const plain = expected as Record<string, unknown>;
          follows &&= typeof expected === 'object' && expected !== null && Object.hasOwn(plain, step);
          expected = follows ? plain[step] : undefined;
        }
        if (follows) expect(JSON.parse(found[index] ?? 'null')).toEqual(expected);
      }
    }),
    runs,
  );
});

test('members are left out at the top level only', () => {
  fc.assert(
    fc.property(object, ({ loose }) => {
      const text = wellFormed(loose);
      const parsed = JSON.parse(text);
      const rest = JSON.parse(withoutMembers(text, ['code', 'api_call_id']));
      delete parsed.code;
      delete parsed.api_call_id;
      expect(rest).toEqual(parsed);
    }),
    runs,
  );
});
