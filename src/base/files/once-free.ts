import { platform } from 'node:os';

/** With these Windows refuses to replace or remove a file that another program has open. */
const HELD = new Set(['EPERM', 'EACCES', 'EBUSY']);
/** A virus scanner or an index looks at each new file for a moment: it is waited for, two seconds in all. */
const PAUSES_MS = [10, 20, 50, 100, 200, 400, 600, 600] as const;

/**
 * Does something to a file; on Windows again, while another program holds it open. Elsewhere an open file hinders nobody,
 * and these errors are final.
 * @throws the system's error
 */
export async function onceFree<T>(deed: () => Promise<T>, system: string = platform()): Promise<T> {
  for (const pause of pausesOn(system)) {
    try {
      return await deed();
    } catch (error) {
      if (!isHeld(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return deed();
}

/** The same where nothing else may run in between. */
export function onceFreeSync<T>(deed: () => T, system: string = platform()): T {
  for (const pause of pausesOn(system)) {
    try {
      return deed();
    } catch (error) {
      if (!isHeld(error)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
    }
  }
  return deed();
}

function pausesOn(system: string): readonly number[] {
  return system === 'win32' ? PAUSES_MS : [];
}

function isHeld(error: unknown): boolean {
  return HELD.has((error as NodeJS.ErrnoException).code ?? '');
}
