import { type Reply, type Transport, TransportError } from '../../base/transport.js';
import {
  drawFault,
  type FaultAnswer,
  faultAnswer,
  faultBody,
  type Trouble,
} from '../../sandbox/serve/injected-faults.js';

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

/** A transport that disturbs requests as `sandbox serve --fault` does. */
export function disturbing(trouble: Trouble): (way: Transport) => Transport {
  return (way) => ({
    ...way,
    async send(request, options) {
      const fault = drawFault(trouble, request.path);
      if (fault === 'cut-before') throw lost();
      const instead = faultAnswer(fault, 'before');
      if (instead) return replyOf(instead);
      const reply = await way.send(request, options);
      if (fault === 'cut-after' || fault === 'truncate') throw lost();
      if (fault === 'wrong-type') return PAGE;
      const other = faultAnswer(fault, 'after');
      return other ? replyOf(other) : reply;
    },
    close: () => way.close(),
  });
}

const PAGE: Reply = {
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: Buffer.from('<!doctype html><title>Maintenance</title>'),
};

function replyOf({ status, message, headers }: FaultAnswer): Reply {
  const body = Buffer.from(faultBody(message, 0));
  return { status, headers: { 'content-type': 'application/json', ...headers }, body };
}

function lost(): TransportError {
  return new TransportError('lost', 'LOST', 'The scenario loses this answer.');
}
