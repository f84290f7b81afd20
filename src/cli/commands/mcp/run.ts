import type { CallToolResult, Server } from '@modelcontextprotocol/server';
import { stopped, usage } from '../../../base/errors/errors.js';
import { cops, say } from '../../../base/text/command-line.js';
import type { CommandInput, Context, Done } from '../../../session/context/context.js';
import { bySubcommand, tellingAtOnce } from '../../../session/context/run.js';
import type { InstallOptions } from '../../mcp/install.js';
import { Results, Tokens } from '../../mcp/kept-answers.js';
import type { ReadArguments } from '../../mcp/reads.js';
import { errorAnswer, type Session, type ToolAnswer } from '../../mcp/session.js';
import { type McpOptions, refuseUnsaidLive, saidOfAllowed, settledOptions } from '../../mcp/tool-options.js';
import { INSTRUCTIONS, TOOLS } from '../../mcp/tools.js';
import type { Asking, Committed, PrepareArguments, ReadyWrite } from '../../mcp/writes.js';

/** Serves until the client disconnects. */
async function serve(given: Context, { options }: CommandInput<McpOptions>): Promise<Done> {
  const context = tellingAtOnce(given);
  const gone = new AbortController();
  const settings = sessionOf(context, options, gone.signal);
  // Problems with the profile are reported here, not at the first call.
  const profile = await context.profile();
  const session = { ...settings, secrets: [profile.key.value] };
  refuseUnsaidLive(context, profile);
  // Most schemas of the protocol are used only once.
  const { interpretSchemas } = await import('../../../items/checks/interpret-schemas.js');
  interpretSchemas();
  const sdk = await import('../../mcp/sdk.js');
  const { world } = context;
  if (world.stdin.isTTY === true)
    context.notes.note(
      say`A server for agents: a client starts it automatically (${cops`mcp install <client>`}). Ctrl-C ends it.`,
    );
  if (options.allow !== undefined) context.notes.note(saidOfAllowed(options));
  const tokens = new Tokens<ReadyWrite>(() => world.now());
  const ended = new Promise<void>((resolve) => {
    world.stdin.once('end', resolve);
    world.stdin.once('close', resolve);
    world.interrupted.addEventListener('abort', () => resolve(), { once: true });
  });
  const handle = sdk.serveStdio(() => makeServer(sdk, session, tokens), {
    transport: new sdk.StdioServerTransport(world.stdin, world.stdout),
    onerror: (error) => context.notes.detail(error.message),
  });
  await ended;
  gone.abort(stopped('the client went away'));
  await handle.close();
  return { result: { shape: 'nothing' } };
}

function sessionOf(context: Context, options: McpOptions, ended: AbortSignal): Omit<Session, 'secrets'> {
  const { allow, families, maxBytes, mask } = settledOptions(options);
  return {
    context,
    allow: new Set(allow),
    families: families && new Set(families.map(({ name }) => name)),
    maxBytes,
    mask,
    results: new Results(maxBytes),
    ended,
  };
}

type Sdk = typeof import('../../mcp/sdk.js');

/**
 * Replaces the package's own validator, which is slow to load. It is never called: `acceptedContent` reads a client's
 * answer to a question, and only `confirm` counts.
 */
const NO_VALIDATOR = {
  getValidator(): never {
    throw stopped('the server was asked to validate an answer against a schema');
  },
};

function makeServer(sdk: Sdk, session: Session, tokens: Tokens<ReadyWrite>): Server {
  const server = new sdk.Server(
    { name: 'cops', version: session.context.world.version },
    { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS, jsonSchemaValidator: NO_VALIDATOR },
  );
  server.setRequestHandler('tools/list', () => ({
    tools: TOOLS.map((tool) => ({ ...tool, inputSchema: { ...tool.inputSchema } })),
  }));
  server.setRequestHandler('tools/call', async ({ params }, extra) => {
    const responses = extra.mcpReq.inputResponses;
    const envelope = extra.mcpReq.envelope as Readonly<Record<string, { readonly elicitation?: object }>> | undefined;
    const declared = envelope?.['io.modelcontextprotocol/clientCapabilities'];
    const asking: Asking = {
      // The newest revision states the client's abilities with every call, older ones only once.
      canAsk: (declared ?? server.getClientCapabilities())?.elicitation !== undefined,
      answered: (name) => {
        const content = sdk.acceptedContent(responses, name);
        return content === undefined ? undefined : content.confirm === true;
      },
    };
    try {
      const tool = TOOLS.find(({ name }) => name === params.name);
      const call = tool && CALLS[tool.name];
      if (!call) throw usage('There is no such tool.');
      const answer = await call(session, checked(tool, params.arguments ?? {}), tokens, asking);
      if (!('ask' in answer)) return resultOf(answer);
      return sdk.inputRequired({
        inputRequests: {
          [answer.ask]: sdk.inputRequired.elicit({
            message: answer.message,
            requestedSchema: {
              type: 'object',
              properties: { confirm: { type: 'boolean', title: 'Send it' } },
              required: ['confirm'],
            },
          }),
        },
      });
    } catch (error) {
      return resultOf(errorAnswer(session, error));
    }
  });
  server.setRequestHandler('resources/list', () => ({
    resources: session.results.list().map((uri) => ({ uri, name: uri, mimeType: 'application/jsonl' })),
  }));
  server.setRequestHandler('resources/read', ({ params }) => {
    const part = session.results.read(params.uri);
    if (!part) throw new sdk.ResourceNotFoundError(params.uri);
    return { contents: [{ ...part, mimeType: 'application/jsonl' }] };
  });
  return server;
}

/** The arguments of a call, checked against the tool; never ignores a wrong name or type. */
function checked(tool: (typeof TOOLS)[number], given: Given): Given {
  for (const [name, value] of Object.entries(given)) {
    const wanted = Object.hasOwn(tool.inputSchema.properties, name) ? tool.inputSchema.properties[name] : undefined;
    if (!wanted) throw usage(`${tool.name} takes no ${JSON.stringify(name)}.`);
    const types = typeof wanted.type === 'string' ? [wanted.type] : wanted.type;
    const fits = types.some((type) => isOfType(type, value));
    if (!fits) throw usage(`${tool.name}: ${name} must be ${types.join(' or ')}.`);
  }
  for (const name of tool.inputSchema.required ?? [])
    if (!Object.hasOwn(given, name)) throw usage(`${tool.name}: ${name} is missing.`);
  return given;
}

function isOfType(type: string, value: unknown): boolean {
  if (type === 'array') return Array.isArray(value) && value.every((one) => typeof one === 'string');
  if (type === 'integer') return Number.isSafeInteger(value) && Number(value) > 0;
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === 'string';
}

type Given = Readonly<Record<string, unknown>>;

/** Loads a tool's code at its first call, so that the server's very first answer waits for none of it. */
const CALLS: Readonly<
  Record<string, (session: Session, given: Given, tokens: Tokens<ReadyWrite>, asking: Asking) => Promise<Committed>>
> = {
  search: async (session, given) => (await import('../../mcp/tool-search.js')).search(session, String(given.words)),
  describe: async (session, given) => (await import('../../mcp/reads.js')).describe(session, String(given.operation)),
  read: async (session, given) =>
    (await import('../../mcp/reads.js')).runRead(session, given as unknown as ReadArguments),
  find: async (session, given) => (await import('../../mcp/wide.js')).find(session, String(given.what)),
  report: async (session, given) => (await import('../../mcp/wide.js')).report(session, given),
  sql: async (session, given) => (await import('../../mcp/wide.js')).sql(session, String(given.query)),
  prepare: async (session, given, tokens) =>
    (await import('../../mcp/writes.js')).prepareWrite(session, tokens, given as unknown as PrepareArguments),
  commit: async (session, given, tokens, asking) =>
    (await import('../../mcp/writes.js')).commit(session, tokens, String(given.token), asking),
};

function resultOf({ structured, isError }: ToolAnswer): CallToolResult {
  const plain = JSON.parse(JSON.stringify(structured)) as Record<string, unknown>;
  return {
    content: [{ type: 'text', text: JSON.stringify(plain) }],
    structuredContent: plain,
    isError: isError || undefined,
  };
}

export const run = bySubcommand<InstallOptions>({
  '': serve,
  install: async (context, input) => (await import('../../mcp/install.js')).install(context, input),
});
