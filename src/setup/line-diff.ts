export interface LineDiff {
  readonly kind: 'same' | 'added' | 'removed' | 'skipped';
  readonly text: string;
}

/** Lines around a change that are shown with it. */
const AROUND = 2;

/** More lines than this on a side are not compared one by one. */
const MOST = 2000;

/** What differs between two texts, line by line, with a little of what surrounds it. */
export function lineDiff(from: string, to: string): readonly LineDiff[] {
  const [before, after] = [from.split('\n'), to.split('\n')];
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const middle = changed(before.slice(start, before.length - end), after.slice(start, after.length - end));
  return condensed([
    ...all('same', before.slice(0, start)),
    ...middle,
    ...all('same', before.slice(before.length - end)),
  ]);
}

function all(kind: LineDiff['kind'], texts: readonly string[]): LineDiff[] {
  return texts.map((text) => ({ kind, text }));
}

/** The longest common lines stay, by the usual table. */
function changed(before: readonly string[], after: readonly string[]): readonly LineDiff[] {
  if (before.length > MOST || after.length > MOST) return [...all('removed', before), ...all('added', after)];
  const width = after.length + 1;
  const common = new Uint16Array((before.length + 1) * width);
  for (let row = before.length - 1; row >= 0; row--)
    for (let column = after.length - 1; column >= 0; column--)
      common[row * width + column] =
        before[row] === after[column]
          ? (common[(row + 1) * width + column + 1] ?? 0) + 1
          : Math.max(common[(row + 1) * width + column] ?? 0, common[row * width + column + 1] ?? 0);
  const lines: LineDiff[] = [];
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    const [one, other] = [before[row], after[column]];
    if (one !== undefined && one === other) {
      lines.push({ kind: 'same', text: one });
      row++;
      column++;
    } else if (
      one !== undefined &&
      (other === undefined || (common[(row + 1) * width + column] ?? 0) >= (common[row * width + column + 1] ?? 0))
    ) {
      lines.push({ kind: 'removed', text: one });
      row++;
    } else {
      lines.push({ kind: 'added', text: other ?? '' });
      column++;
    }
  }
  return lines;
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
