import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { BodyIo } from '../request/body.js';
import type { World } from '../world.js';

/** Longest standard input that a body or a list of ids may have, bytes. */
const MAX_INPUT = 256 * 1024 * 1024;

/** Reads of files and standard input for bodies and ids; standard input can be read once. */
export function inputOf(world: World): BodyIo {
  return {
    readFile: (path) => readFile(resolve(world.cwd, path)),
    async readStdin() {
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of world.stdin) {
        const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer);
        size += bytes.length;
        if (size > MAX_INPUT) throw new Error(`standard input is larger than ${MAX_INPUT} bytes`);
        chunks.push(bytes);
      }
      return Buffer.concat(chunks);
    },
  };
}

/** The ids of a text, one a line: blank lines, carriage returns, spaces around and a byte order mark do not count. */
export function idLines(text: string): string[] {
  return text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
