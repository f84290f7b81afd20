/** @module-tag tool */
/** A promotion on a real terminal: one question, and secrets that are typed and never shown. */
import { expect, it } from 'vitest';
import { home } from '../cli/helpers.js';
import { describeWith, onTerminal, plain } from './tools.js';

describeWith('expect', 'a promotion on a terminal', () => {
  it('asks once, asks for the secrets, and shows none', { timeout: 120_000 }, async () => {
    const made = home();
    const reset = ['sandbox', 'reset', '--size', '1', '--live-data', 'empty'];
    expect(await made.run(reset)).toMatchObject({ code: 0 });
    const words = ['-p', 'sandbox', 'setup', 'promote', '--from', 'sandbox:test', '--to', 'sandbox:live'];
    const ran = await onTerminal(
      words,
      [
        ['Go ahead?', 'y\\r'],
        ['My account: recaptcha.secret_key', 'typed-secret-1\\r'],
        ['North: recaptcha.secret_key', 'typed-secret-2\\r'],
        ['South: recaptcha.secret_key', '\\r'],
      ],
      { env: made.env },
    );
    // The last one was left empty: that portal is left out by name.
    expect(ran.code, ran.screen).toBe(10);
    const screen = plain(ran.screen);
    expect(screen).toContain('108 to create');
    expect(screen).not.toContain('typed-secret');
    expect(screen).toContain('Left out: create customer-portals/South');
    const portals = ['-p', 'sandbox', '--live', 'customer-portals', 'list', '-o', 'json'];
    const names = JSON.parse((await made.run(portals)).stdout) as { name: string }[];
    expect(names.map(({ name }) => name).sort()).toEqual(['My account', 'North']);
  });
});
