import { type Transport, TransportError } from '../../base/transport.js';

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
      throw new TransportError('lost', 'LOST', 'The scenario loses this answer.');
    },
    close: () => way.close(),
  });
}
