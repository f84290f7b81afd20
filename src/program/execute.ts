import type { GlobalOptions } from '../command/context.js';
import type { Done, Job } from '../command/run.js';
import { CopsError } from '../errors/errors.js';
import { colourLevel } from '../output/colour.js';
import type { World } from '../world.js';
import type { MadeContext } from './make-context.js';
import type { Failure } from './report.js';

/** Runs a parsed job: context, job, output, last words. Returns the exit code; throws what went wrong. */
export async function execute(
  world: World,
  options: GlobalOptions,
  job: Job,
  command: string,
  learn: (facts: Partial<Failure>) => void,
): Promise<number> {
  const [{ makeContext }, { checkSettings }] = await Promise.all([
    import('./make-context.js'),
    import('../output/render.js'),
  ]);
  const made = makeContext(world, options, command, learn);
  const { context, notes } = made;
  try {
    // A bad --output or --query must not be found out after a write was sent.
    await checkSettings(await context.settings());
    const done = await job(context);
    // Data must not come behind what is left of a progress line.
    notes.progressDone();
    if (done.result.shape !== 'nothing') {
      const { closedPipe } = await show(made, done);
      if (closedPipe && !done.wrote) return 0;
    }
    notes.progressDone();
    const failed = await done.finish?.();
    if (failed) throw failed;
    await tellUpdate(made);
    return 0;
  } finally {
    notes.progressDone();
    await made.close();
  }
}

/** Only to a person at a terminal. */
async function tellUpdate({ context, notes, defaults }: MadeContext): Promise<void> {
  const { world, options } = context;
  const isPerson = world.stdout.isTTY === true && world.stderr.isTTY === true && options.input && !world.env.CI;
  if (!isPerson || options.quiet) return;
  const address = world.env.COPS_UPDATE_URL ?? defaults()?.updateUrl;
  if (address === undefined || address === '') return;
  const { updateNotice } = await import('./update-notice.js');
  const notice = await updateNotice(world, address, context.dataDir);
  if (notice !== undefined) notes.note(notice);
}

/** Writes the result, through a pager where one is wanted. */
async function show({ context, notes, defaults }: MadeContext, done: Done): Promise<{ readonly closedPipe: boolean }> {
  const { render } = await import('../output/render.js');
  const { world, options } = context;
  const settings = await context.settings();
  const write = (stdout: NodeJS.WritableStream, note: (text: string) => void) =>
    render(done.result, settings, {
      stdout,
      color: colourLevel(world.env, world.stdout, options.color) > 0,
      width: world.stdout.columns || 80,
      interactive: world.stdout.isTTY === true,
      note,
    });
  try {
    if (world.stdout.isTTY !== true || !world.openPager) return await write(world.stdout, notes.note);
    const { throughPager } = await import('./through-pager.js');
    const paging = { world, notes, options, setting: () => defaults()?.pager };
    return await throughPager(paging, done, settings.format, write);
  } catch (error) {
    throw done.wrote ? doneButUnseen(error) : error;
  }
}

/** A write whose answer could not be shown was made all the same: nobody is to repeat it for a full disk. */
function doneButUnseen(error: unknown): unknown {
  if (!(error instanceof CopsError)) return error;
  return new CopsError(error.kind, `It was sent and answered, but the answer could not be shown: ${error.message}`, {
    ...error.facts,
    hint: 'Do not repeat it: cops history list shows what became of it.',
  });
}
