/** Said with every JSON fault of the command line. */
export const QUOTING_HINT =
  'Shells change quotes (cmd.exe wants "{\\"name\\":\\"x\\"}"); -d path=value, --body @file and --body - avoid that.';

/** How to write JSON for each shell; shown by help beside the body options. */
export const QUOTING_HELP: readonly { readonly shell: string; readonly lines: readonly string[] }[] = [
  {
    shell: 'bash, zsh, fish',
    lines: [`--body '{"name":"Monthly"}'`, `-d 'rates[0].rate=5'    (quoted: the brackets are patterns to zsh)`],
  },
  {
    shell: 'Windows cmd.exe',
    lines: [
      `--body "{\\"name\\":\\"Monthly\\"}"`,
      '-d rates[0].rate=5',
      'single quotes mean nothing here; % in a value is written %%',
    ],
  },
  {
    shell: 'PowerShell 7.3 and later',
    lines: [
      `--body '{"name":"Monthly"}'`,
      `-d 'rates[0].rate=5'`,
      `--body '@body.json'    (quoted: @ begins an array)`,
    ],
  },
  {
    shell: 'Windows PowerShell 5',
    lines: [`--body '{\\"name\\":\\"Monthly\\"}'`, `'{"name":"Monthly"}' | cops ... --body -    (needs no escaping)`],
  },
  { shell: 'any shell', lines: ['--body @body.json', '-d name=Monthly -d enabled=true'] },
];

/** The same as one text. */
export function quotingHelp(): string {
  return QUOTING_HELP.map(({ shell, lines }) => [`${shell}:`, ...lines.map((line) => `  ${line}`)].join('\n')).join(
    '\n',
  );
}
