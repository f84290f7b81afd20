import { CopsError } from '../../base/errors/errors.js';
import { childEnvironment } from './child-environment.js';
import type { KeyReading } from './types.js';

/** A key command may wait for a person (a fingerprint, a passphrase), but not for ever. */
const LONGEST_RUN_MS = 60_000;
const MOST_OUTPUT = 64 * 1024;

/**
 * Runs a key command through the shell and returns what it prints. It gets no standard input: that belongs to
 * the command that needs the key.
 * @throws CopsError `not_authorised` when it fails, prints nothing, or takes too long; the output is never shown
 */
export async function runKeyCommand(command: string, owner: string, reading: KeyReading): Promise<string> {
  const { spawn } = await import('node:child_process');
  reading.signal?.throwIfAborted();
  const limit = reading.commandTimeoutMs ?? LONGEST_RUN_MS;
  return new Promise((resolve, reject) => {
    const env = childEnvironment(reading.env, reading.configDir);
    const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'ignore'], env });
    const output: Buffer[] = [];
    let size = 0;
    const fail = (why: string) => reject(failure(owner, why));
    // Destroying the pipes ends the wait even where a grandchild keeps them open.
    const end = () => {
      clearTimeout(timer);
      reading.signal?.removeEventListener('abort', onAbort);
      child.stdout.destroy();
    };
    const stop = () => {
      child.kill('SIGKILL');
      end();
    };
    const onAbort = () => {
      stop();
      reject(reading.signal?.reason);
    };
    const timer = setTimeout(() => {
      stop();
      fail(`gave no answer in ${limit / 1000} seconds and was stopped`);
    }, limit);
    reading.signal?.addEventListener('abort', onAbort, { once: true });
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      output.push(chunk);
      if (size <= MOST_OUTPUT) return;
      stop();
      fail('printed far more than a key');
    });
    child.on('error', (error) => {
      end();
      fail(`could not be started (${error.message})`);
    });
    child.on('close', (code, signal) => {
      end();
      if (code !== 0) fail(signal === null ? `failed with exit code ${code}` : `was ended by ${signal}`);
      else resolve(Buffer.concat(output).toString('utf8'));
    });
  });
}

/** What the command wrote is not repeated, errors included: they may hold the key, whole or in another spelling. */
function failure(owner: string, why: string): CopsError {
  return new CopsError('not_authorised', `The command for ${owner} ${why}; what it wrote is not shown.`, {
    hint: 'Run the command by itself to see what is wrong; `cops profiles edit <name>` changes it.',
  });
}
