/** The commands beside the families (command line, section 1), with the chunk that defines each. */
export interface Builtin {
  readonly name: string;
  readonly summary: string;
  readonly hidden?: true;
}

export const BUILTINS: readonly Builtin[] = [
  { name: 'login', summary: 'file a profile with its keys and check them' },
  { name: 'logout', summary: "forget a profile's keys" },
  { name: 'whoami', summary: 'show profile, mode and key in use, and where each comes from' },
  { name: 'profiles', summary: 'add, list, show, use, edit, rename, remove profiles' },
  { name: 'mode', summary: 'show or set the mode of the profile: test or live' },
  { name: 'config', summary: 'read and set configuration values' },
  { name: 'export', summary: 'read a whole list into files, proven complete and resumable' },
  { name: 'sync', summary: 'keep copies of all lists up to date' },
  { name: 'bulk', summary: 'run one write over many ids or rows, with a journal' },
  { name: 'history', summary: 'what was written from this machine, and how it ended' },
  { name: 'overview', summary: 'counts and sums of the business over some days' },
  { name: 'api', summary: 'any request to the service, with the same guards' },
  { name: 'openapi', summary: "pull, check and show the service's own description" },
  { name: 'reference', summary: 'events, filters, error codes, states and limits, offline' },
  { name: 'explain', summary: 'explain an error code, exit code, event, field or family' },
  { name: 'sandbox', summary: 'the embedded service: reset, serve, clock, status' },
  { name: 'doctor', summary: 'check configuration, keys and connection' },
  { name: 'completion', summary: 'shell completion for bash, zsh, fish and PowerShell' },
  { name: 'commands', summary: 'every command as data, for tools' },
  { name: 'help', summary: 'help on a command, an action or a topic' },
];
