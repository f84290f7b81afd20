import { rollup } from 'rollup';
import { expect, it } from 'vitest';

/** A function that one module calls with a constant, and another, which loads it late, with anything. */
const FILES: Readonly<Record<string, string>> = {
  shown: "export function shown(measure) { return measure === undefined ? 'none' : measure; }",
  close: "import { shown } from 'shown'; export const close = () => shown(undefined);",
  main: "import { close } from 'close'; export async function main(measure) { const { shown } = await import('shown'); return [close(), shown(measure)]; }",
};

/** Some versions of the bundler take the constant for the only value, and leave the rest of the function out. */
it('keeps the branches of a function that is loaded late as well', async () => {
  const bundle = await rollup({
    input: 'main',
    plugins: [{ name: 'texts', resolveId: (id) => (id in FILES ? id : null), load: (id) => FILES[id] ?? null }],
  });
  const { output } = await bundle.generate({ format: 'es', inlineDynamicImports: true });
  const code = Buffer.from(output[0].code).toString('base64');
  const { main } = (await import(`data:text/javascript;base64,${code}`)) as { main(text: string): Promise<string[]> };
  expect(await main('net')).toEqual(['none', 'net']);
});
