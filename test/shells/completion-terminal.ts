import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Home, PROGRAM } from '../cli/program.js';

const COLUMNS = 110;
const ROWS = 60;
const PATIENCE_MS = 60_000;

/** A shell on a terminal of its own, in which keys are pressed and whose screen is read. */
export class ShellTerminal {
  readonly home: Home;
  readonly #socket: string;

  /** @param begin files to write below the home before the shell begins (its own start files) */
  constructor(command: string, begin: Readonly<Record<string, string>> = {}) {
    this.home = new Home();
    this.#socket = `cops-${process.pid}-${Math.random().toString(36).slice(2)}`;
    const bin = path.join(this.home.folder, 'bin');
    mkdirSync(bin);
    writeFileSync(path.join(bin, 'cops'), `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`);
    chmodSync(path.join(bin, 'cops'), 0o755);
    this.home.env.PATH = `${bin}${path.delimiter}${this.home.env.PATH}`;
    for (const [file, text] of Object.entries(begin)) {
      mkdirSync(path.dirname(path.join(this.home.folder, file)), { recursive: true });
      writeFileSync(path.join(this.home.folder, file), text);
    }
    this.#command = command;
  }

  readonly #command: string;

  /** Starts the shell and waits for its prompt, which must hold `READY`. */
  async start(): Promise<void> {
    const size = ['-x', String(COLUMNS), '-y', String(ROWS)];
    this.#tmux('-f', '/dev/null', 'new-session', '-d', ...size, '-c', this.home.folder, this.#command);
    await this.#until((screen) => screen.includes('READY'), 'the prompt');
  }

  /** Types a line with Tabs (`\t`) on a screen that is empty, and waits for `wanted` to be on it. */
  async type(keys: string, wanted: string | RegExp): Promise<string> {
    await this.clear();
    for (const part of keys.split(/(\t)/)) {
      if (part === '\t') {
        this.#tmux('send-keys', 'Tab');
        await this.#quiet();
      } else if (part !== '') this.#tmux('send-keys', '-l', part);
    }
    const there = (screen: string): boolean =>
      typeof wanted === 'string' ? screen.includes(wanted) : wanted.test(screen);
    return this.#until(there, String(wanted));
  }

  /** Gives the line up and empties the screen. */
  async clear(): Promise<void> {
    const end = performance.now() + PATIENCE_MS;
    do {
      // A shell that is still completing takes the first one for that.
      this.#tmux('send-keys', 'C-c');
      await this.#quiet();
      this.#tmux('send-keys', 'C-l');
      await this.#quiet();
      if (performance.now() > end) throw new Error(`the line was never given up:\n${this.screen().trimEnd()}`);
    } while (!this.screen().trim().endsWith('READY>'));
  }

  screen(): string {
    return this.#tmux('capture-pane', '-p', '-J');
  }

  end(): void {
    try {
      this.#tmux('kill-server');
    } catch {
      // It ended by itself.
    }
    this.home.remove();
  }

  #tmux(...words: string[]): string {
    return execFileSync('tmux', ['-L', this.#socket, ...words], {
      env: { ...this.home.env, TERM: 'xterm-256color', TMUX_TMPDIR: this.home.folder, SHELL: '/bin/sh' },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  /** Waits until the screen stops changing. */
  async #quiet(): Promise<void> {
    let before = '';
    for (let same = 0; same < 3; ) {
      await new Promise((resolve) => setTimeout(resolve, 60));
      const now = this.screen();
      same = now === before ? same + 1 : 0;
      before = now;
    }
  }

  async #until(there: (screen: string) => boolean, what: string): Promise<string> {
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      const screen = this.screen();
      if (there(screen)) return screen;
      if (performance.now() > end) throw new Error(`${what} never came on the screen:\n${screen.trimEnd()}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
