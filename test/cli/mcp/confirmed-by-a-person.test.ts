/** @module-tag process */
import { describe, expect, it } from 'vitest';
import { ok, wrote } from '../../fixtures/service/service.js';
import { A, B, pair } from '../helpers.js';
import { ask, connected, NEWEST, REVISIONS } from './clients.js';

const REFUND = { operation: 'transactions refund', ids: [A], body: '{"amount":5}' };

for (const revision of REVISIONS)
  describe(`a person behind the client, live mode, revision ${revision}`, {
    tags: revision === NEWEST ? [] : ['sweep'],
  }, () => {
    it.each([
      ['accepts', { action: 'accept', content: { confirm: true } }, 'done', 1],
      ['accepts without the tick', { action: 'accept', content: { confirm: false } }, 'refused', 0],
      ['declines', { action: 'decline' }, 'refused', 0],
      ['cancels', { action: 'cancel' }, 'refused', 0],
    ] as const)('%s: what is sent', async (_, answer, outcome, sent) => {
      const { service, home } = await pair(
        ({ method }) =>
          method === 'GET'
            ? ok({ id: A, live_mode: true, amount: 100, iso_currency: 'USD' })
            : wrote('pending_refund', B),
        'live',
      );
      const questions: string[] = [];
      const client = await connected(home, ['--live', 'mcp', '--allow', 'money'], revision, (message) => {
        questions.push(message);
        return answer;
      });
      const { token } = await ask(client, 'prepare', REFUND);
      expect(await ask(client, 'commit', { token })).toMatchObject({ outcome });
      expect(questions).toHaveLength(1);
      expect(questions[0]).toMatch(/^LIVE mode: transactions refund A+1 \{"amount":5\}/);
      expect(await ask(client, 'commit', { token })).toMatchObject({ outcome: 'refused' });
      expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(sent);
    });
  });
