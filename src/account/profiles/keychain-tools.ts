import { execFile } from 'node:child_process';
import { platform } from 'node:os';

/** One secret, in the subset of the keychain library that we use. */
export interface KeychainEntry {
  setPassword(password: string, signal?: AbortSignal): Promise<void>;
  getPassword(signal?: AbortSignal): Promise<string | null>;
  deletePassword(signal?: AbortSignal): Promise<unknown>;
}
/** The keychain library, or an equivalent that uses the system's own tool. */
export interface KeychainLibrary {
  readonly AsyncEntry: new (
    service: string,
    account: string,
    options: { readonly linux: { readonly store: 'secret-service' } },
  ) => KeychainEntry;
}

/** How a system's own program stores a secret; `input` is its standard input, which nobody else can read. */
interface Tool {
  readonly program: string;
  store(service: string, account: string, secret: string): Run;
  read(service: string, account: string): Run;
  remove(service: string, account: string): Run;
}
interface Run {
  readonly args: readonly string[];
  readonly input?: string;
}

/** Windows has none that returns a secret: `cmdkey` only stores. */
const TOOLS: Readonly<Record<string, Tool>> = {
  linux: {
    program: 'secret-tool',
    store: (service, account, secret) => ({
      args: ['store', '--label', `${service}: ${account}`, 'service', service, 'username', account],
      input: secret,
    }),
    read: (service, account) => ({ args: ['lookup', 'service', service, 'username', account] }),
    remove: (service, account) => ({ args: ['clear', 'service', service, 'username', account] }),
  },
  darwin: {
    program: 'security',
    // Every process can see its arguments, so it reads its line from standard input; hex needs no quotes.
    store: (service, account, secret) => ({
      args: ['-i'],
      input: `add-generic-password -U -s "${service}" -a "${account}" -X ${Buffer.from(secret).toString('hex')}\n`,
    }),
    read: (service, account) => ({ args: ['find-generic-password', '-s', service, '-a', account, '-w'] }),
    remove: (service, account) => ({ args: ['delete-generic-password', '-s', service, '-a', account] }),
  },
};

/** Where to look for a tool: as the environment says, unless a test says otherwise. */
export interface ToolPlace {
  readonly system?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The system's own tool instead of the keychain library; undefined if there is none. */
export async function keychainTool({ system = platform(), env }: ToolPlace = {}): Promise<KeychainLibrary | undefined> {
  const tool = TOOLS[system];
  if (tool === undefined || !(await isThere(tool.program, env))) return undefined;
  return {
    AsyncEntry: class implements KeychainEntry {
      readonly #service: string;
      readonly #account: string;

      constructor(service: string, account: string) {
        this.#service = service;
        this.#account = account;
      }

      async setPassword(secret: string, signal?: AbortSignal): Promise<void> {
        const { code, said } = await this.#run(tool.store(this.#service, this.#account, secret), signal);
        if (code !== 0) throw new Error(said);
      }

      /** Both tools print nothing and end with this code if there is no such secret. */
      async getPassword(signal?: AbortSignal): Promise<string | null> {
        const { code, output, said } = await this.#run(tool.read(this.#service, this.#account), signal);
        if (code === 0) return output.replace(/\r?\n$/, '') || null;
        if (code === NOT_THERE[system] && (said === '' || system === 'darwin')) return null;
        throw new Error(said);
      }

      async deletePassword(signal?: AbortSignal): Promise<boolean> {
        const { code } = await this.#run(tool.remove(this.#service, this.#account), signal);
        return code === 0;
      }

      #run(run: Run, signal: AbortSignal | undefined): Promise<Outcome> {
        return outcomeOf(tool.program, run, { env, signal });
      }
    },
  };
}

/** Exit code of a look-up that finds nothing (for `security`: errSecItemNotFound). */
const NOT_THERE: Readonly<Record<string, number>> = { linux: 1, darwin: 44 };

interface Outcome {
  readonly code: number;
  readonly output: string;
  readonly said: string;
}
interface Around {
  readonly env: ToolPlace['env'];
  readonly signal?: AbortSignal | undefined;
}

function outcomeOf(program: string, { args, input }: Run, { env, signal }: Around): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, { env, signal, encoding: 'utf8' }, (error, output, said) => {
      if (error !== null && typeof error.code !== 'number') reject(new Error(`${program}: ${error.code ?? 'ended'}`));
      else resolve({ code: Number(error?.code ?? 0), output, said: said.trim() });
    });
    // A tool that ends before reading its input shows that in its exit code.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input ?? '');
  });
}

/** Without arguments it prints its usage and changes nothing. */
async function isThere(program: string, env: ToolPlace['env']): Promise<boolean> {
  try {
    await outcomeOf(program, { args: ['help'] }, { env });
    return true;
  } catch {
    return false;
  }
}
