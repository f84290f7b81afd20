import { dirname } from 'node:path';
import { platform } from 'node:process';
import { checkTarget, writeGiven } from '../../account/given-target.js';
import { local, orElse, orLocal, stopped, usage } from '../../base/errors/errors.js';
import { readOwnFile } from '../../base/files/read-file.js';
import { makeFolder } from '../../base/files/replace-file.js';
import { typedPath } from '../../base/files/typed-path.js';
import { cops, say } from '../../base/text/command-line.js';
import type { CommandInput, Context, Done } from '../../session/context/context.js';
import { MCP_CLIENTS, type McpClient } from './clients.js';
import { type McpOptions, refuseUnsaidLive, saidOfAllowed, settledOptions } from './tool-options.js';

/** Options of `cops mcp install`, as typed. */
export interface InstallOptions extends McpOptions {
  readonly file?: string;
  readonly name?: string;
}

type Members = Record<string, unknown>;

/**
 * `cops mcp install <client>`: shows the entry, then writes it among the others of the client's file.
 * @throws CopsError `usage` for an unknown client, `local` for a file that is not plain JSON, stopped (12) without
 * consent
 */
export async function install(
  context: Context,
  { words: [word = ''], options }: CommandInput<InstallOptions>,
): Promise<Done> {
  const { world, notes } = context;
  const client = clientCalled(context, word);
  const given = options.file ?? client.file({ cwd: world.cwd, env: world.env, platform });
  if (given === undefined || given === '')
    throw usage(`The place of ${client.name}'s configuration file is not known.`, 'Name it: --file <file>');
  const file = typedPath(world, given);
  const name = options.name ?? 'cops';
  const entry = await entryOf(context, options);
  const target = { path: file, typed: given, option: '--file', own: context };
  if (options.file !== undefined) await checkTarget(target);
  const { document, servers } = await readServers(file, client);
  const before = servers[name];
  const text = JSON.stringify({ [client.member]: { [name]: entry } }, undefined, 2);
  if (JSON.stringify(before) === JSON.stringify(entry)) {
    notes.note(`${file} already has this entry: nothing was changed.`);
    return { result: { shape: 'nothing' } };
  }
  const isDry = context.options.dryRun;
  const goes = `${before === undefined ? 'This goes into' : 'This takes the place of an entry in'} ${file}`;
  notes.warn(isDry ? `${goes}.` : `${goes}:\n${text}`);
  if (before !== undefined) notes.warn(`It was: ${shownEntry(before)}`);
  notes.note(saidOfAllowed(options));
  if (isDry) {
    notes.note('Dry run: nothing was written.');
    return { result: { shape: 'text', text: `${text}\n` } };
  }
  await ask(context, file);
  const whole = { ...document, [client.member]: { ...servers, [name]: entry } };
  // The folder of the client's usual file belongs to the client; a folder named on the line already exists.
  if (options.file === undefined) makeFolder(dirname(file), 0o777);
  await writeGiven(target, `${JSON.stringify(whole, undefined, 2)}\n`);
  notes.note(`Written. Start ${client.name} again; it starts the server by itself.`);
  return { result: { shape: 'nothing' } };
}

/** The client of that name, or the first whose name starts with it, with a note. @throws CopsError usage (2) */
function clientCalled({ notes }: Context, word: string): McpClient {
  const exact = MCP_CLIENTS.find(({ name }) => name === word);
  if (exact) return exact;
  const [client, ...others] = MCP_CLIENTS.filter(({ name }) => word !== '' && name.startsWith(word.toLowerCase()));
  if (client === undefined)
    throw usage(
      `"${word}" is not a known client.`,
      `Known: ${MCP_CLIENTS.map(({ name }) => name).join(', ')}. Others take the command line: cops mcp`,
    );
  notes.note(`${word} is read as ${client.name} (${client.about}).`);
  for (const { name } of others) notes.note(say`For ${titleOf(name)}: ${cops`mcp install ${name}`}`);
  return client;
}

/** `Claude Desktop` for `claude-desktop`. */
const titleOf = (name: string): string =>
  name.replace(/(?:^|-)(.)/g, (_, letter: string) => ` ${letter.toUpperCase()}`).trim();

/** How the client starts the server: with this line's profile, mode and options. */
async function entryOf(context: Context, options: InstallOptions): Promise<Members> {
  const { allow, families, mask } = settledOptions(options);
  const profile = await context.profile();
  refuseUnsaidLive(context, profile);
  const args = [
    ...['-p', profile.name.value],
    ...(context.options.mode === undefined ? [] : [`--${context.options.mode}`]),
    'mcp',
    ...(options.readOnly ? ['--read-only'] : []),
    ...(allow.length > 0 ? ['--allow', allow.join(',')] : []),
    ...(families ? ['--families', families.map(({ command }) => command).join(',')] : []),
    ...(options.maxBytes === undefined ? [] : ['--max-bytes', options.maxBytes]),
    ...(mask ? ['--mask'] : []),
  ];
  // A client starts without the variables of this shell.
  const folders = ['COPS_CONFIG_DIR', 'COPS_DATA_DIR'].flatMap((variable) => {
    const folder = context.world.env[variable];
    return folder === undefined || folder === '' ? [] : [[variable, typedPath(context.world, folder)]];
  });
  return { command: 'cops', args, ...(folders.length > 0 && { env: Object.fromEntries(folders) }) };
}

async function readServers(file: string, client: McpClient): Promise<{ document: Members; servers: Members }> {
  const text = orLocal(() => readOwnFile(file)?.toString('utf8'), `${file} cannot be read`);
  if (text === undefined) return { document: {}, servers: {} };
  const document = membersOf(parsed(text.replace(/^\uFEFF/, '')));
  const servers = document && membersOf(document[client.member] ?? {});
  if (document && servers) return { document, servers };
  throw local(
    `${file} is not plain JSON, as ${client.name} writes it: nothing was changed.`,
    `Add the entry manually; cops mcp install ${client.name} --dry-run --file new.json shows it.`,
  );
}

function parsed(text: string): unknown {
  if (text.trim() === '') return {};
  return orElse(() => JSON.parse(text), undefined);
}

const membersOf = (value: unknown): Members | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : undefined;

/** An entry without the values of its environment, which may be keys. */
const shownEntry = (entry: unknown): string =>
  JSON.stringify(entry, (name, value: unknown) =>
    name === 'env' ? Object.fromEntries(Object.keys(membersOf(value) ?? {}).map((one) => [one, '****'])) : value,
  );

async function ask(context: Context, file: string): Promise<void> {
  if (context.options.yes) return;
  const prompter = await context.prompter();
  if (!prompter.canPrompt())
    throw stopped(`${file} is changed only after confirmation, and nobody is there to ask`, 'Add --yes to confirm.');
  if (!(await prompter.confirm('Write it?'))) throw stopped('not confirmed: nothing was written');
}
