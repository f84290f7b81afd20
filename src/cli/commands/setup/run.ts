import { bySubcommand } from '../../../session/context/run.js';
import { SETUP_COMMANDS } from '../../../setup/setup-commands.js';
import type { SetupOptions } from '../../../setup/setup-options.js';

export const run = bySubcommand<SetupOptions>(SETUP_COMMANDS);
