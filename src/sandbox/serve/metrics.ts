import { KINDS_OF_ITEMS } from '../store/kinds.js';

/** Upper bounds of the response time buckets, seconds. */
const ENDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];

const FAMILIES: ReadonlySet<string> = new Set(KINDS_OF_ITEMS);

/** Metrics of a served sandbox since its start, in the text format of Prometheus (version 0.0.4). */
export class ServedMetrics {
  readonly #requests = new Map<string, number>();
  readonly #within = ENDS.map(() => 0);
  #count = 0;
  #seconds = 0;

  /** Counts an answer; status 0 is a cut connection. */
  answered(method: string, path: string, status: number, seconds: number): void {
    const family = path.split('/')[1] ?? '';
    // A path may contain any word: only the service's own become labels.
    const verb = method === 'GET' || method === 'POST' ? method : 'other';
    const labels = `method="${verb}",family="${FAMILIES.has(family) ? family : 'other'}",status="${status}"`;
    this.#requests.set(labels, (this.#requests.get(labels) ?? 0) + 1);
    for (const [at, end] of ENDS.entries()) if (seconds <= end) this.#within[at] = (this.#within[at] ?? 0) + 1;
    this.#count++;
    this.#seconds += seconds;
  }

  /** @param now the clock of the sandbox, milliseconds */
  text(now: number): string {
    const name = 'cops_sandbox';
    return [
      `# HELP ${name}_requests_total Answered requests; status 0 is a cut connection.`,
      `# TYPE ${name}_requests_total counter`,
      ...[...this.#requests].map(([labels, count]) => `${name}_requests_total{${labels}} ${count}`),
      `# HELP ${name}_request_seconds How long answers took.`,
      `# TYPE ${name}_request_seconds histogram`,
      ...ENDS.map((end, at) => `${name}_request_seconds_bucket{le="${end}"} ${this.#within[at]}`),
      `${name}_request_seconds_bucket{le="+Inf"} ${this.#count}`,
      `${name}_request_seconds_sum ${this.#seconds}`,
      `${name}_request_seconds_count ${this.#count}`,
      `# HELP ${name}_clock_seconds The sandbox's clock in unix time.`,
      `# TYPE ${name}_clock_seconds gauge`,
      `${name}_clock_seconds ${Math.floor(now / 1000)}`,
      '',
    ].join('\n');
  }
}
