import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openProofs } from '../../../src/account/safety/proofs.js';
import { failure, folder, profile } from './tools.js';

describe('proofs', () => {
  it('is unproven without a file, proven after one item, in every later run', async () => {
    const dir = folder();
    const proofs = openProofs(dir);
    expect(await proofs.proofOf(profile())).toBe('unproven');
    expect(await proofs.observe(false, profile())).toBe('proven');
    expect(await proofs.proofOf(profile())).toBe('proven');
    const again = openProofs(dir);
    expect(await again.proofOf(profile())).toBe('proven');
    expect(await again.modeOf('fp1', 'https://service.test/v2')).toBe('test');
    expect(await again.proofOf(profile({ fingerprint: 'fp2' }))).toBe('unproven');
    expect(await again.proofOf(profile({ baseUrl: 'https://other.test' }))).toBe('unproven');
    expect(statSync(join(dir, 'proofs.json')).mode & 0o777).toBe(0o600);
  });

  it('stops on an item of the other mode, and every later run with that declaration', async () => {
    const dir = folder();
    const error = await failure(openProofs(dir).observe(true, profile({ mode: 'test' })));
    expect(error.exitCode).toBe(12);
    expect(await openProofs(dir).proofOf(profile({ mode: 'test' }))).toBe('contradicted');
    expect(await openProofs(dir).proofOf(profile({ mode: 'live' }))).toBe('proven');
  });

  it('never weakens a key that has shown both modes', async () => {
    const dir = folder();
    await openProofs(dir).observe(true, profile({ mode: 'live' }));
    const error = await failure(openProofs(dir).observe(false, profile({ mode: 'test' })));
    expect(error.exitCode).toBe(12);
    expect(await openProofs(dir).modeOf('fp1', 'https://service.test/v2')).toBe('live');
  });

  it('proves a key whose mode nobody declared without contradicting anybody', async () => {
    const dir = folder();
    const assumed = profile({ mode: 'live', modeAssumed: true });
    expect(await openProofs(dir).observe(false, assumed)).toBe('proven');
    expect(await openProofs(dir).modeOf('fp1', 'https://service.test/v2')).toBe('test');
    expect(await openProofs(dir).proofOf(assumed)).toBe('unproven');
  });

  it.each(['', '{', '[]', '{"proofs":[{"fingerprint":1}]}', 'null'])(
    'reports a damaged file (%j) and leaves it',
    async (text) => {
      const dir = folder();
      const path = join(dir, 'proofs.json');
      writeFileSync(path, text);
      const error = await failure(openProofs(dir).proofOf(profile()));
      expect(error.exitCode).toBe(11);
      expect(error.message).toContain(path);
      expect((await failure(openProofs(dir).observe(false, profile()))).exitCode).toBe(11);
      expect(readFileSync(path, 'utf8')).toBe(text);
    },
  );

  it('keeps what two writers find at once', async () => {
    const dir = folder();
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    await Promise.all(names.map((fingerprint) => openProofs(dir).observe(false, profile({ fingerprint }))));
    for (const fingerprint of names) expect(await openProofs(dir).proofOf(profile({ fingerprint }))).toBe('proven');
  });

  it('goes on with a warning when the folder cannot be written to', async () => {
    const file = join(folder(), 'file');
    writeFileSync(file, '');
    const dir = join(file, 'below');
    const warned: string[] = [];
    expect(await openProofs(dir, { warn: (text) => warned.push(text) }).observe(false, profile())).toBe('proven');
    expect(warned).toHaveLength(1);
    expect((await failure(openProofs(dir).observe(true, profile()))).exitCode).toBe(12);
  });

  it("knows the embedded service's keys by construction and writes nothing for them", async () => {
    const dir = folder();
    const proofs = openProofs(dir);
    const embedded = profile({ embedded: true });
    expect(await proofs.proofOf(embedded)).toBe('proven');
    await proofs.observe(false, embedded);
    expect(() => statSync(join(dir, 'proofs.json'))).toThrow();
    expect((await failure(proofs.observe(true, embedded))).exitCode).toBe(12);
  });
});
