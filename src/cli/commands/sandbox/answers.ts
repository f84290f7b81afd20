import { jsonOf, usage } from '../../../base/errors/errors.js';
import { readText } from '../../../service/body/gather.js';
import type { Context, Done } from '../../../session/context/context.js';
import { type Opener, sayTried, withSandbox } from '../../../session/context/opened-sandbox.js';
import { one } from '../../../session/context/run.js';
import { inputOf } from '../../../session/write/body-input.js';
import type { SandboxCommandOptions } from './spec.js';

/** `cops sandbox answers [file]`: sets the script that stands in for the model; without a file, shows it. */
export async function sandboxAnswers(
  context: Opener & Pick<Context, 'notes'>,
  file: string | undefined,
  options: SandboxCommandOptions,
): Promise<Done> {
  if (file !== undefined && options.clear) throw usage('Give a file or --clear, not both.');
  const { parseAnswers, readAnswers, writeAnswers } = await import('../../../sandbox/serve/index.js');
  const script = file === undefined ? undefined : parseAnswers(await readScript(context, file));
  if (typeof script === 'string')
    throw usage(script, 'One answer: {"message": "refund", "answer": "Done.", "output": 1}.');
  return withSandbox(context, ({ database }) => {
    if (script || options.clear) {
      writeAnswers(database, script ?? []);
      sayTried(context);
    }
    return { result: one({ answers: readAnswers(database) }) };
  });
}

async function readScript(context: Pick<Context, 'world'>, file: string): Promise<unknown> {
  const text = await readText(inputOf(context.world), file);
  const shown = file === '-' ? 'standard input' : file;
  return jsonOf(text, (cause) =>
    usage(`${shown} is not a script of answers: ${cause instanceof Error ? cause.message : String(cause)}`),
  );
}
