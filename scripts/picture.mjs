// Draws a terminal's screen as SVG: text with the colours of its escape sequences, for light and dark pages.

const CELL = { width: 8.4, height: 18 };
const PAD = 16;
const BAR = 34;
/** Foregrounds and backgrounds of SGR, by their numbers, as classes. */
const CLASSES = { 1: 'b', 2: 'f', 31: 'r', 32: 'g', 35: 'm', 97: 'w', 41: 'R' };
const OFF = { 0: ['b', 'f', 'r', 'g', 'm', 'w', 'R'], 22: ['b', 'f'], 39: ['r', 'g', 'm', 'w'], 49: ['R'] };

/** The picture of a screen. An unknown text class is an error: otherwise a colour would be lost unnoticed. */
export function drawScreen(title, text) {
  const lines = text.replace(/\n$/, '').split('\n').map(runsOf);
  const columns = Math.max(60, ...lines.map((runs) => runs.reduce((sum, { text: part }) => sum + part.length, 0)));
  const width = Math.ceil(columns * CELL.width + 2 * PAD);
  const height = Math.ceil(lines.length * CELL.height + 2 * PAD + BAR);
  const rows = lines.flatMap((runs, at) => drawRow(runs, BAR + PAD + (at + 0.75) * CELL.height));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>${STYLE}</style>`,
    `<rect class="page" width="${width}" height="${height}" rx="8"/>`,
    ...[0, 1, 2].map((at) => `<circle class="dot" cx="${PAD + 6 + at * 18}" cy="${BAR / 2 + 4}" r="5"/>`),
    ...rows,
    '</svg>',
    '',
  ].join('\n');
}

const STYLE = [
  ':root{--page:#fff;--text:#1f2328;--edge:#d1d9e0;--dim:#6e7781;--r:#cf222e;--g:#1a7f37;--m:#8250df}',
  '@media(prefers-color-scheme:dark){:root{--page:#0d1117;--text:#e6edf3;--edge:#3d444d;--dim:#8b949e;--r:#ff7b72;--g:#3fb950;--m:#d2a8ff}}',
  '.page{fill:var(--page);stroke:var(--edge)}.dot{fill:var(--edge)}',
  'text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:var(--text);white-space:pre}',
  '.b{font-weight:700}.f{fill:var(--dim)}.r{fill:var(--r)}.g{fill:var(--g)}.m{fill:var(--m)}.w{fill:#fff}.R{fill:#cf222e}',
].join('');

/** The pieces of a line, each with its classes. */
function runsOf(line) {
  const on = new Set();
  return line.split(/(\u001b\[[0-9;]*m)/).flatMap((part, at) => {
    if (at % 2 === 0) return part === '' ? [] : [{ text: part, classes: [...on].sort() }];
    for (const code of part.slice(2, -1).split(';').map(Number)) {
      if (OFF[code]) for (const name of OFF[code]) on.delete(name);
      else if (CLASSES[code]) on.add(CLASSES[code]);
      else throw new Error(`Unknown colour for a picture: ${code}`);
    }
    return [];
  });
}

function drawRow(runs, y) {
  let column = 0;
  return runs.flatMap(({ text, classes }) => {
    const x = PAD + column * CELL.width;
    column += text.length;
    const ground = classes.includes('R')
      ? [
          `<rect class="R" x="${round(x)}" y="${round(y - 13)}" width="${round(text.length * CELL.width)}" height="17"/>`,
        ]
      : [];
    if (text.trim() === '') return ground;
    const names = classes.filter((name) => name !== 'R').join(' ');
    // The width is explicit, so that columns stay aligned in any font.
    const length = round(text.length * CELL.width);
    const drawn = `<text${names && ` class="${names}"`} x="${round(x)}" y="${round(y)}" textLength="${length}" lengthAdjust="spacingAndGlyphs">${escaped(text)}</text>`;
    return [...ground, drawn];
  });
}

const round = (value) => Number(value.toFixed(1));
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
