import { createInterface } from 'node:readline';
import type { World } from '../../base/world.js';
import { FreshInput, inputEnded, interrupted, type Question } from './fresh-input.js';

/** Asks a question on a terminal that moves no cursor (`TERM=dumb`): one line out, one line in. */
export async function askPlainly(question: Question, world: Terminal): Promise<unknown> {
  world.interrupted.throwIfAborted();
  const input = new FreshInput(world.stdin);
  try {
    await input.settle(question.message, world);
    return await answerTo(question, { input, stderr: world.stderr, interrupted: world.interrupted });
  } finally {
    input.release();
  }
}

type Terminal = Pick<World, 'stdin' | 'stderr' | 'interrupted' | 'sleep'>;

type Asked = Pick<World, 'stderr' | 'interrupted'> & { readonly input: FreshInput };

async function answerTo(question: Question, asked: Asked): Promise<unknown> {
  const { input, stderr } = asked;
  const mark = question.default ? ` (${question.default})` : '';
  stderr.write(`${question.message}${mark} `);
  await input.open();
  if (question.type === 'password') return readHidden(question, asked);
  // From here on the terminal itself handles editing and echo.
  input.setRawMode(false);
  const line = await readLine(question, asked);
  return line === '' ? (question.default ?? line) : line;
}

/** Reads a line that the terminal edits and echoes. Ctrl-C there is a signal, which the caller's world handles. */
const readLine = (question: Question, world: Asked): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = createInterface({ input: world.input, terminal: false });
    const onAbort = () => {
      reject(world.interrupted.reason);
      reader.close();
    };
    world.interrupted.addEventListener('abort', onAbort, { once: true });
    reader.once('line', (line) => {
      resolve(line);
      reader.close();
    });
    reader.once('close', () => {
      world.interrupted.removeEventListener('abort', onAbort);
      reject(inputEnded(question.message));
    });
  });

/** Reads a line without echo, in raw mode, and handles the few keys that matter itself. */
function readHidden(question: Question, world: Asked): Promise<string> {
  const { input, stderr } = world;
  return new Promise((resolve, reject) => {
    let typed = '';
    const finish = (settle: () => void) => {
      input.off('data', onData).off('end', onEnd).off('close', onEnd);
      world.interrupted.removeEventListener('abort', onAbort);
      stderr.write('\n');
      settle();
    };
    const onAbort = () => finish(() => reject(world.interrupted.reason));
    const onEnd = () => finish(() => reject(inputEnded(question.message)));
    const onData = (chunk: Buffer) => {
      for (const letter of chunk.toString('utf8')) {
        if (letter === '\r' || letter === '\n') return finish(() => resolve(typed));
        if (letter === '\x03') return finish(() => reject(interrupted()));
        if (letter === '\x04' && typed === '') return onEnd();
        if (letter === '\x7f' || letter === '\b') typed = typed.slice(0, -1);
        else if (letter === '\x15') typed = '';
        else if (letter >= ' ') typed += letter;
      }
    };
    world.interrupted.addEventListener('abort', onAbort, { once: true });
    input.on('data', onData).once('end', onEnd).once('close', onEnd);
  });
}
