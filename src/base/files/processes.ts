import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** One process of one machine, told apart from a later one that was given the same number. */
export interface ProcessId {
  readonly pid: number;
  /** Start mark of the operating system, empty where it tells none. */
  readonly started: string;
  /** A hash of the machine's name: another machine's processes cannot be asked about. */
  readonly host: string;
}

/** The process table, passed in so that tests can make processes die. */
export interface Processes {
  readonly self: ProcessId;
  /** `elsewhere`: it belongs to another machine that shares the folder, so nobody here can tell. */
  state(id: ProcessId): 'running' | 'gone' | 'elsewhere';
}

/** The operating system's own process table. */
export function osProcesses(): Processes {
  const host = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
  const self: ProcessId = { pid: process.pid, started: tableEntry(process.pid).mark, host };
  return {
    self,
    state(id) {
      if (id.host !== host) return 'elsewhere';
      try {
        process.kill(id.pid, 0);
      } catch (error) {
        // EPERM: it lives, but belongs to somebody else.
        if ((error as NodeJS.ErrnoException).code !== 'EPERM') return 'gone';
      }
      const { mark, ended } = tableEntry(id.pid);
      return ended || (mark !== '' && id.started !== '' && mark !== id.started) ? 'gone' : 'running';
    },
  };
}

/**
 * What Linux tells of a process: its start in ticks with the boot they count from (a process number is reused, this pair
 * is not), and whether all its threads have ended although nobody has asked for its exit code yet.
 */
function tableEntry(pid: number): { readonly mark: string; readonly ended: boolean } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The program's name comes in parentheses and may hold anything, so fields are counted from its end.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state = '', threads, ticks = ''] = [fields[0], fields[17], fields[19]];
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').slice(0, 8);
    // A thread that is still there may be in the middle of a write.
    return { mark: ticks === '' ? '' : `${ticks}.${boot}`, ended: /^[ZX]$/i.test(state) && Number(threads) <= 1 };
  } catch {
    return { mark: '', ended: false };
  }
}
