import { cops, say } from '../../base/text/command-line.js';
import type { ServiceRequest } from '../../base/transport.js';
import { each, Item } from '../../items/json/item-json.js';
import { maskBodyText } from '../../items/secrets/mask-body.js';
import { hideCardsInUrl, mask, Redactor } from '../../items/secrets/redact.js';
import { queryText } from '../../service/http/base-url.js';
import { toService } from '../../service/request/wallet.js';
import type { Context, Done } from '../context/context.js';
import { keyFor, type PreparedWrite, requestOf } from './prepared-write.js';
import { refuseReadOnly } from './write.js';

/**
 * Shows requests that would be sent as data: key masked, nothing sent (command-line.md#global-options). With `--curl` the
 * only member is the request for a shell.
 */
export async function dryRunItems(
  context: Context,
): Promise<(request: ServiceRequest, maskedBody?: string) => Promise<Item>> {
  const { baseUrl, key, walletWord, embedded } = await context.profile();
  // The key may have been typed where it does not belong.
  const clean = new Redactor([key.value]);
  return async (request, maskedBody) => {
    const sent = toService(request, walletWord.value);
    const url = hideCardsInUrl(baseUrl.value.replace(/\/$/, '') + sent.path + queryText(sent.query));
    if (context.options.curl) {
      const { curlLine } = await import('./curl.js');
      const { headers } = context;
      // The embedded service only has an address while it is served.
      const base = embedded ? baseUrl.value : undefined;
      const line = curlLine({ ...sent, url, base, masked: maskedBody, headers });
      return new Item(JSON.stringify({ curl: clean.text(line) }));
    }
    const headers = {
      'x-api-key': mask(key.value),
      accept: 'application/json',
      'content-type': request.method === 'POST' ? 'application/json' : undefined,
      ...context.headers,
    };
    const head = JSON.stringify({ method: sent.method, url, headers });
    // The body goes in as the text that would be sent, to keep its digits.
    const body = maskedBody ?? sent.body;
    return new Item(clean.json(`${head.slice(0, -1)},"body":${body ?? 'null'}}`));
  };
}

/** A dry run of one request as a command's result. */
export async function dryRunResult(context: Context, request: ServiceRequest, maskedBody?: string): Promise<Done> {
  const item = await (await dryRunItems(context))(request, maskedBody);
  if (context.options.curl) return listedRequests(context, [item]);
  context.notes.note('Dry run: nothing was sent.');
  return { result: { shape: 'one', item } };
}

/** A dry run of one request or several as a command's result. */
export async function dryRuns(
  context: Context,
  runs: readonly { readonly request: ServiceRequest; readonly masked?: string }[],
): Promise<Done> {
  const [only] = runs;
  if (runs.length === 1 && only) return dryRunResult(context, only.request, only.masked);
  const items: Item[] = [];
  const itemOf = await dryRunItems(context);
  for (const { request, masked } of runs) items.push(await itemOf(request, masked));
  if (context.options.curl) return listedRequests(context, items);
  context.notes.note(`Dry run of ${runs.length} requests: nothing was sent.`);
  return listedRequests(context, items);
}

/** Requests of dry runs as a command's result; what they would change is never cut. */
export function listedRequests({ options, notes }: Context, items: readonly Item[]): Done {
  if (options.curl) {
    notes.note('Not sent. Pasted lines bypass the guards of cops: no question, no policy, no history.');
    if (items.some(({ raw }) => raw.includes('$COPS_BASE_URL')))
      notes.note(
        say`These lines need a running ${cops`sandbox serve`}, which prints the values of COPS_BASE_URL, ending in /v2, and of COPS_API_KEY.`,
      );
    const lines = items.map(({ raw }) => (JSON.parse(raw) as { curl: string }).curl);
    return { result: { shape: 'text', text: `${lines.join('\n')}\n` }, isCurl: true };
  }
  const columns = [{ path: 'method' }, { path: 'url', whole: true }, { path: 'body', as: 'prose' }] as const;
  return { result: { shape: 'list', items: each(items), columns, idField: 'url' } };
}

/** A dry run of writes as a command's result: says what else they do, and what it does not check. */
export async function dryRunWrites(context: Context, prepared: readonly PreparedWrite[]): Promise<Done> {
  const runs: { request: ServiceRequest; masked: string }[] = [];
  for (const one of prepared) {
    await refuseReadOnly(context, one.operation, one.risk);
    const request = requestOf(one, (await keyFor(context, one)).key);
    runs.push({ request, masked: maskBodyText(one.operation, request.body ?? '{}') });
  }
  const { remarkDryRun, remarkPolicy } = await import('./dry-run-remarks.js');
  await remarkDryRun(context, prepared);
  if (!context.options.curl) await remarkPolicy(context, prepared);
  return dryRuns(context, runs);
}
