import { join } from 'node:path';

/** A program that speaks the protocol, and where it keeps its servers. */
export interface McpClient {
  readonly name: string;
  readonly about: string;
  /** The member of its file that holds the servers by name. */
  readonly member: string;
  readonly file: (place: ClientPlace) => string | undefined;
}

/** Where a user's files are. */
export interface ClientPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

const home = ({ env }: ClientPlace): string | undefined => env.HOME ?? env.USERPROFILE;
const below = (folder: string | undefined, ...names: string[]): string | undefined =>
  folder === undefined ? undefined : join(folder, ...names);

const CLIENTS: Readonly<Record<string, readonly [about: string, file: McpClient['file'], member?: string]>> = {
  'claude-code': ['.mcp.json of this folder', ({ cwd }) => join(cwd, '.mcp.json')],
  'claude-desktop': [
    'claude_desktop_config.json of this user',
    (place) => below(applicationFolder(place), 'Claude', 'claude_desktop_config.json'),
  ],
  cursor: ['.cursor/mcp.json of this user', (place) => below(home(place), '.cursor', 'mcp.json')],
  vscode: ['.vscode/mcp.json of this folder', ({ cwd }) => join(cwd, '.vscode', 'mcp.json'), 'servers'],
  gemini: ['.gemini/settings.json of this user', (place) => below(home(place), '.gemini', 'settings.json')],
};
export const MCP_CLIENTS: readonly McpClient[] = Object.entries(CLIENTS).map(
  ([name, [about, file, member = 'mcpServers']]) => ({ name, about, member, file }),
);

function applicationFolder(place: ClientPlace): string | undefined {
  if (place.platform === 'win32') return place.env.APPDATA;
  if (place.platform === 'darwin') return below(home(place), 'Library', 'Application Support');
  return place.env.XDG_CONFIG_HOME ?? below(home(place), '.config');
}
