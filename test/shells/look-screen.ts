import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Home, PROGRAM } from '../cli/program.js';

const PATIENCE_MS = 60_000;

export interface ScreenOptions {
  readonly columns?: number;
  readonly rows?: number;
  /** Variables beside those of the home. */
  readonly env?: Readonly<Record<string, string>>;
  /** Behind the command line, for the shell: `| cat`. */
  readonly tail?: string;
  /** Further lines of the program, on the same terminal one after another. */
  readonly more?: readonly (readonly string[])[];
}

/** One command line of the program on a terminal of tmux: what came, byte by byte, and what is to be seen of it. */
export class Screen {
  readonly #socket = `look-${process.pid}-${Math.random().toString(36).slice(2)}`;
  readonly #raw: string;

  constructor(
    readonly home: Home,
    args: readonly string[],
    options: ScreenOptions = {},
  ) {
    const { columns = 100, rows = 50, env = {}, tail = '', more = [] } = options;
    this.#raw = path.join(home.folder, `${this.#socket}.raw`);
    const script = path.join(home.folder, `${this.#socket}.sh`);
    const variables = Object.entries({ TERM: 'xterm-256color', ...home.env, ...env });
    const clean = `env -i ${variables.map(([name, value]) => quoted(`${name}=${value}`)).join(' ')}`;
    const lines = [args, ...more].map((one) => [process.execPath, PROGRAM, ...one].map(quoted).join(' '));
    const runs = lines.map((line) => `${clean} ${line} ${tail}\necho "END:$?"\n`);
    writeFileSync(script, `echo BEFORE\n${runs.join('')}exec sleep 60\n`);
    writeFileSync(this.#raw, '');
    this.#tmux(
      ...['-u', '-f', '/dev/null', 'new-session', '-d', '-x', String(columns), '-y', String(rows)],
      ...[`exec sh ${quoted(script)}`, ';', 'pipe-pane', '-O', `cat > ${quoted(this.#raw)}`],
    );
  }

  /** What the terminal shows, a line each; nothing is joined that the terminal broke. */
  lines(): string[] {
    return this.#tmux('capture-pane', '-p').split('\n');
  }

  /** Lines that ran over the terminal's edge, as they were written. */
  broken(): string[] {
    const written = this.#tmux('capture-pane', '-p', '-J').split('\n');
    const shown = new Set(this.lines().map((line) => line.trimEnd()));
    return written.map((line) => line.trimEnd()).filter((line) => !shown.has(line));
  }

  /** Every byte that the terminal got so far. */
  raw(): string {
    return existsSync(this.#raw) ? readFileSync(this.#raw, 'utf8') : '';
  }

  /** A fact that tmux knows of the terminal: `pane_title`, `alternate_on`. */
  fact(name: string): string {
    return this.#tmux('display-message', '-p', `#{${name}}`).trim();
  }

  resize(columns: number): void {
    this.#tmux('resize-window', '-x', String(columns));
  }

  /** Types keys as tmux names them: `y`, `Enter`, `C-c`. */
  type(...keys: string[]): void {
    this.#tmux('send-keys', ...keys);
  }

  /** Waits until the text is on the screen. */
  async shows(wanted: string): Promise<string[]> {
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      const lines = this.lines();
      if (lines.some((line) => line.includes(wanted))) return lines;
      if (performance.now() > end) throw new Error(`"${wanted}" never came:\n${lines.join('\n').trimEnd()}`);
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
  }

  /** Waits for a question, and until it takes keys: what is typed in the moment that draws it answers nothing. */
  async asks(wanted: string): Promise<void> {
    await this.shows(wanted);
    await takesKeys();
  }

  /** Waits for the end of so many lines: what each wrote, without colours, and its exit code. */
  async allEnded(count: number): Promise<{ code: number; text: string }[]> {
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      const parts = this.raw()
        .replace(/\u001b\[[0-9;]*m/g, '')
        .replaceAll('\r\n', '\n')
        .split(/END:(\d+)\n/);
      const ended = Array.from({ length: (parts.length - 1) / 2 }, (_, at) => ({
        text: (parts[2 * at] ?? '').replace(/^BEFORE\n/, ''),
        code: Number(parts[2 * at + 1]),
      }));
      if (ended.length >= count) return ended;
      if (performance.now() > end)
        throw new Error(`${ended.length} of ${count} lines ended:\n${this.raw().slice(-2000)}`);
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
  }

  /** Waits for the end of the command line: its lines between BEFORE and its exit code. */
  async ended(): Promise<{ code: number; lines: string[] }> {
    const all = await this.shows('END:');
    const last = all.findIndex((line) => line.includes('END:'));
    const begin = all.indexOf('BEFORE');
    return {
      code: Number(/END:(\d+)/.exec(all[last] ?? '')?.[1]),
      lines: all.slice(begin + 1, last).map((line) => line.trimEnd()),
    };
  }

  close(): void {
    try {
      this.#tmux('kill-server');
    } catch {
      // It ended by itself.
    }
  }

  #tmux(...words: string[]): string {
    return execFileSync('tmux', ['-L', this.#socket, ...words], {
      env: {
        PATH: process.env.PATH,
        TERM: 'xterm-256color',
        LANG: 'C.UTF-8',
        SHELL: '/bin/sh',
        TMUX_TMPDIR: this.home.folder,
      },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }
}

/** Waits longer than a question needs from its first line to its first key, on a busy machine. */
export async function takesKeys(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 400));
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
