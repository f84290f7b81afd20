import type { ScenarioEnd, ScenarioFailure } from './run-scenario.js';

/** The results for people: a line per scenario, and for failed ones what was expected and found. */
export function resultsTable(ends: readonly ScenarioEnd[]): string {
  const marks = { passed: 'ok  ', failed: 'FAIL', skipped: 'skip' };
  const lines = ends.flatMap((end) => [
    `${marks[end.status]}  ${end.name}${end.why === undefined ? '' : `: ${end.why}`}  (${end.ms} ms)`,
    ...(end.failure ? failureLines(end.failure).map((line) => `      ${line}`) : []),
  ]);
  return `${[...lines, '', sentenceOf(ends)].join('\n')}\n`;
}

/** `3 passed, 1 failed, 1 skipped`. */
export function sentenceOf(ends: readonly ScenarioEnd[]): string {
  const count = (status: ScenarioEnd['status']) => ends.filter((end) => end.status === status).length;
  const parts = (['passed', 'failed', 'skipped'] as const).map((status) => [count(status), status] as const);
  return `${parts.flatMap(([n, word]) => (n > 0 || word === 'passed' ? `${n} ${word}` : [])).join(', ')}.`;
}

/** What was expected and found, for people. */
export function failureText(failure: ScenarioFailure): string {
  return failureLines(failure)
    .map((line) => `      ${line}`)
    .join('\n');
}

function failureLines({ at, unmet, more, next }: ScenarioFailure): string[] {
  const compared = unmet.flatMap(({ expected, found }) => [
    `expected  ${indented(expected)}`,
    `found     ${indented(found)}`,
  ]);
  return [
    `at ${at}`,
    ...compared,
    ...(more === '' ? [] : more.split('\n')),
    ...(next === undefined ? [] : [`look: ${next}`]),
  ];
}

function indented(text: string): string {
  return text.replaceAll('\n', `\n${' '.repeat(16)}`);
}

/** TAP version 14. */
export function resultsTap(ends: readonly ScenarioEnd[]): string {
  const lines = ends.flatMap((end, at) => {
    const name = end.name.replaceAll(/[\\#]/g, '\\$&').replaceAll('\n', ' ');
    const skip = end.why === undefined ? '' : ` # SKIP ${end.why.replaceAll('\n', ' ')}`;
    const line = `${end.status === 'failed' ? 'not ok' : 'ok'} ${at + 1} - ${name}${skip}`;
    return end.failure ? [line, '  ---', ...yamlOf(end.failure), '  ...'] : [line];
  });
  return `${['TAP version 14', `1..${ends.length}`, ...lines].join('\n')}\n`;
}

function yamlOf({ at, unmet, more }: ScenarioFailure): string[] {
  const [first] = unmet;
  return [
    `  at: ${JSON.stringify(at)}`,
    `  expected: ${JSON.stringify(first?.expected ?? '')}`,
    `  found: ${JSON.stringify(first?.found ?? '')}`,
    `  message: ${JSON.stringify(more)}`,
  ];
}

/** JUnit XML: one suite per file. */
export function resultsJunit(ends: readonly ScenarioEnd[]): string {
  const files = [...new Set(ends.map(({ file }) => file))];
  const suites = files.map((file) =>
    suiteOf(
      file,
      ends.filter((end) => end.file === file),
    ),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${totals(ends)}>\n${suites.join('')}</testsuites>\n`;
}

function suiteOf(file: string, ends: readonly ScenarioEnd[]): string {
  const cases = ends.map((end) => {
    const head = `    <testcase classname=${attribute(file)} name=${attribute(end.name)} time="${end.ms / 1000}"`;
    if (end.why !== undefined) return `${head}><skipped message=${attribute(end.why)}/></testcase>\n`;
    if (!end.failure) return `${head}/>\n`;
    const [first] = end.failure.unmet;
    const said = attribute(`expected ${first?.expected ?? ''}, found ${first?.found ?? ''}`);
    return `${head}><failure message=${said}>${inText(failureLines(end.failure).join('\n'))}</failure></testcase>\n`;
  });
  return `  <testsuite name=${attribute(file)} ${totals(ends)}>\n${cases.join('')}  </testsuite>\n`;
}

function totals(ends: readonly ScenarioEnd[]): string {
  const count = (status: ScenarioEnd['status']) => ends.filter((end) => end.status === status).length;
  const seconds = ends.reduce((sum, { ms }) => sum + ms, 0) / 1000;
  return `tests="${ends.length}" failures="${count('failed')}" errors="0" skipped="${count('skipped')}" time="${seconds}"`;
}

function attribute(text: string): string {
  return `"${inText(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;')}"`;
}

/** XML cannot contain most control characters, not even escaped. */
function inText(text: string): string {
  return text
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
