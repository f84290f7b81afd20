/** @module-tag process */
import { describe, expect, it } from 'vitest';
import { listHandler } from '../../fixtures/service/service.js';
import { home as emptyHome, items, pair } from '../helpers.js';
import { ask, connected, NEWEST, REVISIONS } from './clients.js';

for (const revision of REVISIONS)
  describe(`cops mcp with the official client, revision ${revision}`, {
    tags: revision === NEWEST ? [] : ['sweep'],
  }, () => {
    it('searches, describes, reads, prepares and commits a refund on the sandbox, once', async () => {
      const home = emptyHome();
      const client = await connected(home, ['-p', 'sandbox', 'mcp', '--allow', 'write,money'], revision);
      expect(client.getNegotiatedProtocolVersion()).toBe(revision);
      const { tools } = await client.listTools();
      expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThan(8000);
      const found = await ask(client, 'search', { words: 'refund transaction' });
      expect(found.operations.map(({ operation }: { operation: string }) => operation)).toContain(
        'transactions refund',
      );
      expect(await ask(client, 'describe', { operation: 'transactions refund' })).toMatchObject({ risk: 'money' });

      const paid = await ask(client, 'read', {
        operation: 'transactions list',
        last: '30d',
        where: ['amount_refunded = 0', 'result = approved', 'amount > 5'],
        columns: ['id', 'amount'],
        limit: 1,
      });
      const id = paid.items[0].id as string;
      const prepared = await ask(client, 'prepare', {
        operation: 'transactions refund',
        ids: [id],
        body: '{"amount":1.00}',
      });
      expect(prepared).toMatchObject({
        outcome: 'prepared',
        mode: 'test',
        risk: 'money',
        preview: { from_service: true },
      });
      expect(await ask(client, 'commit', { token: prepared.token })).toMatchObject({ outcome: 'done', ids: [id] });
      expect(await ask(client, 'commit', { token: prepared.token })).toMatchObject({ outcome: 'refused' });
      const { items: after } = await ask(client, 'read', { operation: 'pending-refunds list', last: '1d' });
      expect(after.filter((one: { amount: number }) => one.amount === 1)).toHaveLength(1);
      const history = await home.run(['-p', 'sandbox', 'history', 'list', '-o', 'json']);
      expect(JSON.parse(history.stdout)).toHaveLength(1);
    });

    it('reads a list of 5,000 whole, in parts that are named', async () => {
      const { home } = await pair({
        routes: { 'GET /campaigns': listHandler({ items: items(5000, 1_780_000_000, { name: 'x' }), dated: false }) },
      });
      const client = await connected(home, ['mcp'], revision);
      expect((await client.listTools()).tools).toHaveLength(8);
      const told = await ask(client, 'read', { operation: 'campaigns list' });
      expect(told).toMatchObject({ complete: true, total: 5000, read: 5000 });
      expect(Buffer.byteLength(JSON.stringify(told))).toBeLessThan(16_384);
      const ids = new Set<string>();
      for (let part = 1; part <= told.kept.parts; part++) {
        const { contents } = await client.readResource({ uri: told.next.replace(/\d+$/, String(part)) });
        const text = (contents[0] as { text: string }).text;
        for (const line of text.trimEnd().split('\n')) ids.add((JSON.parse(line) as { id: string }).id);
      }
      expect(ids.size).toBe(5000);
    });
  });
