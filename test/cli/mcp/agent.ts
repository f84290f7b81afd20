import { type Clock, QuickClock } from '../../harness/clock.js';
import { closeAfterTest } from '../../harness/closing.js';
import type { Home } from '../program.js';
import type { Told } from './clients.js';

/** An agent that says what it likes, line by line, to a server in this process. */
export class Agent {
  readonly clock: Clock;
  readonly #waiting = new Map<number, (answer: Told) => void>();
  readonly #running: ReturnType<Home['start']>;
  #rest = '';
  #last = 0;

  private constructor(home: Home, words: readonly string[], clock: Clock) {
    this.clock = clock;
    const reader = (piece: string): void => this.#take(piece);
    this.#running = home.start(words, { clock, stdout: { reader }, timeoutMs: 120_000 });
    this.#running.ended.then(({ stderr }) => {
      for (const tell of this.#waiting.values()) tell({ ended: stderr });
    });
  }

  static async start(home: Home, words: readonly string[], clock: Clock = new QuickClock()): Promise<Agent> {
    const agent = closeAfterTest(new Agent(home, words, clock));
    await agent.send('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'hostile', version: '1' },
    });
    agent.#running.type(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
    return agent;
  }

  send(method: string, params: object): Promise<Told> {
    this.#last += 1;
    const id = this.#last;
    const answered = new Promise<Told>((resolve) => this.#waiting.set(id, resolve));
    this.#running.type(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return answered;
  }

  /** The structured content of a tool's answer, or the protocol's error. */
  async call(name: string, given: unknown): Promise<Told> {
    const { result, error, ended } = await this.send('tools/call', { name, arguments: given });
    return result?.structuredContent ?? { outcome: 'refused', error: error ?? { message: ended } };
  }

  async close(): Promise<void> {
    this.#running.endInput();
    await this.#running.ended;
  }

  #take(piece: string): void {
    const lines = (this.#rest + piece).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const answer = JSON.parse(line) as Told;
      this.#waiting.get(answer.id)?.(answer);
      this.#waiting.delete(answer.id);
    }
  }
}
