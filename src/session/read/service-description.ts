import { CopsError } from '../../base/errors/errors.js';
import { read } from '../../service/http/read.js';
import { LARGEST_DESCRIPTION } from '../../service/openapi/document.js';
import type { Context } from '../context/context.js';
import { pacerOf, patience } from './reading.js';

/** The request for the service's own description: the only answer without an envelope. */
export const DESCRIPTION_REQUEST = { method: 'GET', path: '/openapi.json', query: [] } as const;

/** The service's own description as received, and its source. */
export async function readDescription(context: Context): Promise<{ readonly text: string; readonly from: string }> {
  const { baseUrl, rate } = await context.profile();
  const reply = await read(await context.transport(), DESCRIPTION_REQUEST, {
    ...patience(context),
    pacer: await pacerOf(context, rate.value),
    signal: context.world.interrupted,
    plain: true,
    onRetry: (info) => context.notes.detail(`Trying again: ${info.reason}.`),
  });
  const from = `${baseUrl.value}${DESCRIPTION_REQUEST.path}`;
  if (reply.body.length > LARGEST_DESCRIPTION)
    throw new CopsError('refused', `${from} is larger than ${LARGEST_DESCRIPTION} bytes.`);
  return { text: reply.body.toString('utf8'), from };
}
