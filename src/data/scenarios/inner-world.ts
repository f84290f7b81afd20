import { PassThrough, Writable } from 'node:stream';
import type { KeptThread, World } from '../../base/world.js';
import { scenarioAllows } from './walls.js';

/** The exit code and output of a command line. */
export type LineEnd = Awaited<ReturnType<typeof runLine>>;

/** Runs a command line in a separate world. */
export type LineRunner = (world: World) => Promise<number>;

/** The clock of a scenario: each command line advances it by a second, plus the time that the line waits. */
export class ScenarioClock {
  constructor(public now: number) {}
}

class Kept extends Writable {
  readonly #pieces: Buffer[] = [];

  get text(): string {
    return Buffer.concat(this.#pieces).toString();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#pieces.push(chunk);
    done();
  }
}

/** The environment of a scenario's command lines: nothing of this machine. */
export interface InnerPlace {
  /** Holds configuration, data and everything the command lines write. */
  readonly home: string;
  /** The folder of the scenario, in which command lines run. */
  readonly folder: string;
  /** What its command lines may read and write: the folder, and a set-up named by the person running it. */
  readonly folders: readonly string[];
  readonly zone: string;
  readonly clock: ScenarioClock;
  readonly random: () => number;
  readonly functionThread: KeptThread;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs one command line in memory, with its own home and none of this machine's variables. */
export async function runLine(
  outer: World,
  run: LineRunner,
  place: InnerPlace,
  words: readonly string[],
  more: Partial<Pick<World, 'through' | 'interrupted'>> & { readonly input?: string } = {},
) {
  const stdin = new PassThrough();
  stdin.end(more.input ?? '');
  const [stdout, stderr] = [new Kept(), new Kept()];
  place.clock.now += 1000;
  const world: World = {
    argv: words,
    env: {
      ...place.env,
      HOME: place.home,
      COPS_CONFIG_DIR: `${place.home}/config`,
      COPS_DATA_DIR: `${place.home}/data`,
      COPS_PROFILE: 'sandbox',
      TZ: place.zone,
      NO_COLOR: '1',
      CI: 'true',
    },
    cwd: place.folder,
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: stdout as unknown as NodeJS.WriteStream,
    stderr: stderr as unknown as NodeJS.WriteStream,
    print: (text) => void stdout.write(text),
    now: () => place.clock.now,
    zone: place.zone,
    version: outer.version,
    nodeVersion: outer.nodeVersion,
    uuid: () => outer.uuid(),
    random: place.random,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      place.clock.now += ms;
      await new Promise((done) => setImmediate(done));
    },
    interrupted: more.interrupted ?? outer.interrupted,
    onSignal: () => () => undefined,
    through: more.through,
    functionThread: place.functionThread,
    confined: { folders: place.folders, allows: scenarioAllows },
  };
  const code = await run(world);
  return { code, stdout: stdout.text, stderr: stderr.text };
}
