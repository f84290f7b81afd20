import { CopsError } from '../../base/errors/errors.js';
import type { World } from '../../base/world.js';
import type { AllNotes } from '../../screen/notes.js';
import { type Format, OUTPUT_FORMATS } from '../../screen/output-formats.js';
import type { Rendered } from '../../screen/render.js';
import type { Done, GlobalOptions } from '../../session/context/context.js';

interface Paging {
  readonly world: World;
  readonly notes: Pick<AllNotes, 'hold' | 'note' | 'warn'>;
  readonly options: Pick<GlobalOptions, 'pager' | 'input' | 'wide'>;
  /** The profile's setting. */
  readonly setting: () => string | undefined;
}

type Show = (stdout: NodeJS.WritableStream, note: (text: string) => void) => Promise<Rendered>;

/**
 * Shows an answer, through a pager where a person reads it on a terminal and it is longer than the screen. Answers to
 * writes, endless output and formats for programs go straight to the terminal.
 */
export async function throughPager(
  { world, notes, options, setting }: Paging,
  { result, wrote }: Done,
  format: Format,
  show: Show,
): Promise<Rendered> {
  const { stdout, openPager } = world;
  const straight = () => show(stdout, notes.note);
  const isLive = result.shape === 'list' && result.live;
  const forPeople = result.shape === 'text' || OUTPUT_FORMATS[format].forPeople;
  if (stdout.isTTY !== true || !openPager || wrote || isLive || !forPeople) return straight();
  const { pagerCommand } = await import('../../screen/pager-command.js');
  const command = pagerCommand(world, { ...options, setting: setting() });
  if (!command) return straight();
  const { Paged } = await import('../../screen/paged.js');
  let release = (): void => {};
  let terminated = false;
  const paged = new Paged({
    stdout,
    columns: stdout.columns || 80,
    rows: stdout.rows || 24,
    open: async () => {
      const pager = await openPager(command.command, command.env);
      if (pager) {
        const show = notes.hold();
        // The pager owns the terminal: Ctrl-C stops reading more, and what is already there stays readable.
        const undo = world.onSignal((signal) => {
          if (signal === 'SIGTERM') {
            terminated = true;
            pager.kill();
          }
          paged.stop();
        });
        release = () => {
          undo();
          show();
        };
      } else if (command.source !== undefined) {
        notes.warn(`The pager from ${command.source} was not found: ${command.command}`);
      }
      return pager;
    },
  });
  // Remarks about the table follow it.
  const remarks: string[] = [];
  const showing = show(paged, (text) => void remarks.push(text));
  // Once the user leaves the pager, the rest does not matter, not even how it ends.
  showing.catch(() => {});
  const left = paged.quit.then(() => ({ closedPipe: true }));
  try {
    const rendered = await Promise.race([showing, left]);
    await paged.finish();
    if (terminated) throw new CopsError('interrupted', 'Terminated.', { exitCode: 143 });
    if (!rendered.closedPipe) for (const remark of remarks) notes.note(remark);
    return rendered;
  } finally {
    await paged.finish();
    release();
  }
}
