import { Digits, parseLossless } from '../items/json/lossless.js';

/** Turns JSON texts into YAML, with the digits of numbers kept. */
export async function openYaml(): Promise<(raw: string, asElement: boolean) => string> {
  const { stringify } = await import('yaml');
  const digits = {
    tag: 'tag:yaml.org,2002:float',
    default: true,
    identify: (value: unknown) => value instanceof Digits,
    test: /^$/,
    resolve: (text: string) => text,
    stringify: (item: { value: unknown }) => (item.value as Digits).text,
  } as const;
  const options = { customTags: [digits], lineWidth: 0, aliasDuplicateObjects: false };
  return (raw, asElement) => {
    const value = parseLossless(raw);
    return stringify(asElement ? [value] : value, options as never);
  };
}
