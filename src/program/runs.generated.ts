// Made by scripts/generate-commands.mjs from the folders of src/commands. Do not edit by hand.
import type { CommandModule } from '../command/run.js';

/** What runs each command, loaded when it is asked for. */
export const RUNS: Readonly<Record<string, () => Promise<CommandModule>>> = {
  api: () => import('../commands/api/run.js'),
  bulk: () => import('../commands/bulk/run.js'),
  check: () => import('../commands/check/run.js'),
  commands: () => import('../commands/commands/run.js'),
  completion: () => import('../commands/completion/run.js'),
  config: () => import('../commands/config/run.js'),
  copy: () => import('../commands/copy/run.js'),
  doctor: () => import('../commands/doctor/run.js'),
  explain: () => import('../commands/explain/run.js'),
  export: () => import('../commands/export/run.js'),
  history: () => import('../commands/history/run.js'),
  login: () => import('../commands/login/run.js'),
  logout: () => import('../commands/logout/run.js'),
  mode: () => import('../commands/mode/run.js'),
  openapi: () => import('../commands/openapi/run.js'),
  overview: () => import('../commands/overview/run.js'),
  profiles: () => import('../commands/profiles/run.js'),
  reference: () => import('../commands/reference/run.js'),
  sandbox: () => import('../commands/sandbox/run.js'),
  setup: () => import('../commands/setup/run.js'),
  sync: () => import('../commands/sync/run.js'),
  tail: () => import('../commands/tail/run.js'),
  whoami: () => import('../commands/whoami/run.js'),
};
