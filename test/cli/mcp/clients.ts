import { existsSync } from 'node:fs';
import { Client, type ElicitResult } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { closeAfterTest } from '../../harness/closing.js';
import { PROGRAM } from '../../harness/process.js';
import { laySandbox } from '../../harness/seeded.js';
import type { Home } from '../program.js';

export const NEWEST = '2026-07-28';
/** The revisions that a client may speak, the newest first. */
export const REVISIONS = [NEWEST, '2025-11-25', '2025-06-18'];

/** The official client, connected to the built program over standard input and output. */
export async function connected(
  home: Home,
  words: readonly string[],
  revision: string,
  person?: (question: string) => ElicitResult,
): Promise<Client> {
  // A sandbox that was used before: laying it out is no part of what is asked here.
  const dataDir = home.env.COPS_DATA_DIR ?? '';
  if (words.includes('sandbox') && !existsSync(dataDir)) await laySandbox(dataDir);
  const capabilities = person ? { elicitation: { form: {} } } : {};
  const client = new Client(
    { name: 'cops-test', version: '1' },
    revision === NEWEST
      ? { capabilities, versionNegotiation: { mode: { pin: NEWEST } } }
      : { capabilities, supportedProtocolVersions: [revision], versionNegotiation: { mode: 'legacy' } },
  );
  if (person) client.setRequestHandler('elicitation/create', ({ params }) => person(params.message));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, ...words],
    env: home.env,
    cwd: home.folder,
    stderr: 'ignore',
  });
  await client.connect(transport);
  return closeAfterTest(client);
}

/** What a tool answered, as structured content. */
// biome-ignore lint/suspicious/noExplicitAny: an answer is looked into by tests of every kind
export type Told = Record<string, any>;

export async function ask(client: Client, name: string, given: Record<string, unknown>): Promise<Told> {
  const { structuredContent } = await client.callTool({ name, arguments: given });
  return structuredContent as Told;
}
