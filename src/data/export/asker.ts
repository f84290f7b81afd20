import type { ServiceRequest, Transport } from '../../base/transport.js';
import { atOnce } from '../../screen/notes.js';
import { read } from '../../service/http/read.js';
import { backOff, waitTold } from '../../service/http/retry.js';
import { IdSet } from './id-set.js';
import { PageReader } from './page.js';
import type { Progress } from './progress.js';
import { pathOf } from './resumed-settings.js';
import type { ExportDeps, ExportInput, Range } from './types.js';

/** Requests pages of one list from the service. */
export class ExportAsker {
  readonly #path: string;
  readonly #transport: Transport;
  /** The latest header `Date`. */
  #date: string | undefined;

  constructor(
    readonly input: ExportInput,
    readonly deps: ExportDeps,
    readonly progress: Progress,
    readonly signal: AbortSignal,
  ) {
    this.#path = pathOf(input);
    const { transport } = deps;
    this.#transport = {
      send: async (request, options) => {
        progress.requests++;
        const reply = await transport.send(request, options);
        if (reply.status === 429) progress.refused++;
        this.#date = reply.headers.date ?? this.#date;
        return reply;
      },
      close: () => transport.close(),
    };
  }

  /** The service's clock from the `Date` header, unix seconds; undefined if no answer had one. */
  date(): number | undefined {
    const at = Date.parse(this.#date ?? '');
    return Number.isNaN(at) ? undefined : Math.floor(at / 1000);
  }

  request(range: Range | null, page: number): ServiceRequest {
    const { input, deps } = this;
    const query: [string, string][] = [];
    if (range) query.push(['date_start', String(range.from)], ['date_end', String(range.to)]);
    if (input.operation.list?.style !== 'single') query.push(['limit', String(input.pageSize)], ['page', String(page)]);
    for (const [name, value] of input.filters) query.push([name, value]);
    const request: ServiceRequest = { method: 'GET', path: this.#path, query };
    return deps.prepare ? deps.prepare(request) : request;
  }

  async page(range: Range | null, page: number): Promise<Buffer> {
    const { deps } = this;
    const reply = await read(this.#transport, this.request(range, page), {
      ...deps,
      signal: this.signal,
      onRetry: (info) => {
        const told = waitTold(info);
        if (told) atOnce(deps.notes).note(told);
      },
      // The page reader checks the envelope itself while it finds the items.
      plain: true,
    });
    return deps.incoming ? deps.incoming(reply.body) : reply.body;
  }

  pause(attempt: number): Promise<void> {
    return this.deps.sleep(backOff(attempt, this.deps.random), this.signal);
  }

  /** The ids of a short range, from all its pages. */
  async ids(range: Range): Promise<IdSet> {
    const found = new IdSet();
    const reader = new PageReader(this.input.family.idField);
    // Reads until a page brings nothing new, because counts may be missing or wrong.
    for (let page = 1; ; page++) {
      const body = await this.page(range, page);
      const facts = reader.read(body);
      let fresh = 0;
      for (let i = 0; i < reader.count; i++)
        if (found.add(body, reader.idStarts[i] as number, reader.idEnds[i] as number)) fresh++;
      const told = facts.totalPages >= 0 && facts.totalCount >= 0 && page >= facts.totalPages;
      if (fresh === 0 || (told && found.size >= facts.totalCount)) return found;
    }
  }
}
