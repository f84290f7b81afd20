import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** The runner's file next to the bundle; set by `scripts/build.mjs`. */
declare const __FUNCTION_RUNNER_FILE__: string | undefined;
/** The asset with the runner's text inside an executable; set by `scripts/release/bundle.mjs`. */
declare const __FUNCTION_RUNNER_ASSET__: string | undefined;

/**
 * Starts the thread of `runner.mjs` and waits until its engine is loaded. The thread does not see this process's
 * environment.
 */
export async function openRunner(): Promise<Worker> {
  // What the engine prints when it gives up does not belong in the output.
  const options = { env: {}, execArgv: [], stdout: true, stderr: true, name: 'functions' };
  const worker =
    typeof __FUNCTION_RUNNER_ASSET__ === 'string'
      ? new Worker((await import('node:sea')).getAsset(__FUNCTION_RUNNER_ASSET__, 'utf8'), { ...options, eval: true })
      : new Worker(runnerFile(), options);
  await once(worker, 'message');
  return worker;
}

function runnerFile(): URL {
  const name = typeof __FUNCTION_RUNNER_FILE__ === 'string' ? __FUNCTION_RUNNER_FILE__ : './runner.mjs';
  return new URL(name, import.meta.url);
}
