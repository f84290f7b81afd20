import type { World } from './world.js';

/** Put in by the build. */
declare const __VERSION__: string;

/**
 * Runs one command line in a world and tells the exit code. Everything that is not needed for the shortest
 * answers is loaded behind an import.
 */
export async function run(world: World): Promise<number> {
  const [first] = world.argv;
  if (world.argv.length === 1 && (first === '--version' || first === '-V')) {
    world.stdout.write(`${world.version}\n`);
    return 0;
  }
  if (first === '__complete') {
    const { complete } = await import('./cli/complete.js');
    return complete(world);
  }
  if (
    world.argv.length === 0 ||
    (world.argv.length === 1 && (first === '--help' || first === '-h' || first === 'help'))
  ) {
    const { rootHelp } = await import('./cli/root-help.js');
    world.stdout.write(rootHelp());
    return 0;
  }
  const { expandAlias } = await import('./cli/alias.js');
  const { newFailure, reportFailure } = await import('./cli/report.js');
  try {
    const argv = await expandAlias(world);
    if (argv.some(asksForHelp)) {
      const { helpAsked } = await import('./cli/help.js');
      const help = await helpAsked(argv, world);
      if (help !== undefined) {
        world.stdout.write(help);
        return 0;
      }
    }
    const { runProgram } = await import('./cli/program.js');
    // Not a copy: reading `stdin` of a world opens it.
    return await runProgram(Object.create(world, { argv: { value: argv } }) as World);
  } catch (error) {
    return reportFailure(world, error, newFailure(world));
  }
}

function asksForHelp(word: string): boolean {
  return ['-h', '--help', '--help-all', '-V', '--version', 'help'].includes(word);
}

/** Builds the world of a real process, runs its command line and sets its exit code. */
export function start(process: NodeJS.Process): void {
  const world = worldOf(process);
  for (const stream of [process.stdout, process.stderr]) {
    // A reader that went away is met where we write; without a listener it would end the process at once.
    stream.on('error', () => {});
  }
  run(world).then(
    (code) => {
      process.exitCode = code;
    },
    (error: unknown) => {
      process.stderr.write(`cops: ${error instanceof Error ? error.message : String(error)}\n`);
      process.exitCode = 1;
    },
  );
}

type SignalHandler = Parameters<World['onSignal']>[0];

function worldOf(process: NodeJS.Process): World {
  const interrupt = new AbortController();
  const handlers: SignalHandler[] = [];
  let count = 0;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      count++;
      const handler = handlers.at(-1);
      if (handler) {
        handler(signal, count);
        return;
      }
      process.exitCode = signal === 'SIGINT' ? 130 : 143;
      if (count > 1) process.exit();
      import('./errors/errors.js').then(({ CopsError }) => {
        interrupt.abort(
          new CopsError('interrupted', signal === 'SIGINT' ? 'Interrupted.' : 'Terminated.', {
            exitCode: signal === 'SIGINT' ? 130 : 143,
          }),
        );
      });
    });
  }
  return {
    argv: process.argv.slice(2),
    env: process.env,
    cwd: process.cwd(),
    get stdin() {
      return process.stdin;
    },
    stdout: process.stdout,
    stderr: process.stderr,
    now: () => Date.now(),
    get zone() {
      return Intl.DateTimeFormat().resolvedOptions().timeZone;
    },
    version: __VERSION__,
    nodeVersion: process.versions.node,
    uuid: () => globalThis.crypto.randomUUID(),
    random: () => Math.random(),
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) {
          reject(signal.reason);
          return;
        }
        const done = (): void => {
          signal?.removeEventListener('abort', stop);
          resolve();
        };
        const timer = setTimeout(done, ms);
        const stop = (): void => {
          clearTimeout(timer);
          reject(signal?.reason);
        };
        signal?.addEventListener('abort', stop, { once: true });
      }),
    interrupted: interrupt.signal,
    onSignal: (handler) => {
      handlers.push(handler);
      return () => {
        const at = handlers.indexOf(handler);
        if (at >= 0) handlers.splice(at, 1);
      };
    },
  };
}
