import { type Reply, type Transport, TransportError } from '../../base/transport.js';
import { drawFault, type FaultKind, type Faults, faultBody } from '../../sandbox/serve/injected-faults.js';

/** A transport that loses the first write: either before it arrives, or its answer. */
export function losing(what: 'answer' | 'request'): (way: Transport) => Transport {
  let isLost = false;
  return (way) => ({
    ...way,
    async send(request, options) {
      if (isLost || request.method === 'GET') return way.send(request, options);
      isLost = true;
      if (what === 'request') throw new TransportError('not_sent', 'LOST', 'The scenario loses this request.');
      await way.send(request, options);
      throw lost();
    },
    close: () => way.close(),
  });
}

/** A transport that disturbs a share of the requests as `sandbox serve --fault` does. */
export function disturbing(faults: Faults, random: () => number): (way: Transport) => Transport {
  return (way) => ({
    ...way,
    async send(request, options) {
      const fault = drawFault(faults, random);
      if (fault === 'cut-before') throw lost();
      const instead = fault && BEFORE[fault];
      if (instead) return instead;
      const reply = await way.send(request, options);
      if (fault === 'cut-after' || fault === 'truncate') throw lost();
      return (fault && AFTER[fault]) ?? reply;
    },
    close: () => way.close(),
  });
}

const FAILED = answer(500, 'Unexpected error.');
/** Answers without the work. */
const BEFORE: Readonly<Partial<Record<FaultKind, Reply>>> = {
  '429': answer(429, 'Too many requests.'),
  'retry-after': answer(429, 'Too many requests.', { 'retry-after': '1' }),
  '500': FAILED,
};
/** Answers that replace the real one after the work is done. */
const AFTER: Readonly<Partial<Record<FaultKind, Reply>>> = {
  '500-after': FAILED,
  'wrong-type': {
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: Buffer.from('<!doctype html><title>Maintenance</title>'),
  },
};

function answer(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Reply {
  const body = Buffer.from(faultBody(message, 0));
  return { status, headers: { 'content-type': 'application/json', ...headers }, body };
}

function lost(): TransportError {
  return new TransportError('lost', 'LOST', 'The scenario loses this answer.');
}
