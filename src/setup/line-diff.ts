import { type ArrayChange, diffArrays } from 'diff';

export interface LineDiff {
  readonly kind: 'same' | 'added' | 'removed' | 'skipped';
  readonly text: string;
}

/** Unchanged lines shown around a change. */
const AROUND = 2;

/** Texts that differ in more lines than this are not compared line by line, which would take seconds. */
const MOST = 4000;

/** The line differences between two texts, with a few unchanged lines around them. */
export function lineDiff(from: string, to: string): readonly LineDiff[] {
  const [before, after] = [from.split('\n'), to.split('\n')];
  const changes: readonly Pick<ArrayChange<string>, 'value' | 'added' | 'removed'>[] = diffArrays(before, after, {
    maxEditLength: MOST,
  }) ?? [
    { value: before, added: false, removed: true },
    { value: after, added: true, removed: false },
  ];
  return condensed(
    changes.flatMap(({ value, added, removed }) =>
      value.map((text): LineDiff => ({ kind: added ? 'added' : removed ? 'removed' : 'same', text })),
    ),
  );
}

function condensed(lines: readonly LineDiff[]): readonly LineDiff[] {
  const near = lines.map((_, index) =>
    lines.slice(Math.max(0, index - AROUND), index + AROUND + 1).some(({ kind }) => kind !== 'same'),
  );
  const shown: LineDiff[] = [];
  let skipped = 0;
  const tell = () => {
    if (skipped > 0) shown.push({ kind: 'skipped', text: `${skipped} ${skipped === 1 ? 'line' : 'lines'} alike` });
    skipped = 0;
  };
  for (const [index, line] of lines.entries()) {
    if (near[index]) {
      tell();
      shown.push(line);
    } else skipped++;
  }
  tell();
  return shown;
}
