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

export const MCP_CLIENTS: readonly McpClient[] = [
  {
    name: 'claude-code',
    about: '.mcp.json of this folder',
    member: 'mcpServers',
    file: ({ cwd }) => join(cwd, '.mcp.json'),
  },
  {
    name: 'claude-desktop',
    about: 'claude_desktop_config.json of this user',
    member: 'mcpServers',
    file: (place) => below(applicationFolder(place), 'Claude', 'claude_desktop_config.json'),
  },
  {
    name: 'cursor',
    about: '.cursor/mcp.json of this user',
    member: 'mcpServers',
    file: (place) => below(home(place), '.cursor', 'mcp.json'),
  },
  {
    name: 'vscode',
    about: '.vscode/mcp.json of this folder',
    member: 'servers',
    file: ({ cwd }) => join(cwd, '.vscode', 'mcp.json'),
  },
  {
    name: 'gemini',
    about: '.gemini/settings.json of this user',
    member: 'mcpServers',
    file: (place) => below(home(place), '.gemini', 'settings.json'),
  },
];

function applicationFolder(place: ClientPlace): string | undefined {
  if (place.platform === 'win32') return place.env.APPDATA;
  if (place.platform === 'darwin') return below(home(place), 'Library', 'Application Support');
  return place.env.XDG_CONFIG_HOME ?? below(home(place), '.config');
}
