import { join } from 'node:path';
import { eventSecrets, type SecretKeeping, type SecretOwner } from '../../account/profiles/event-secrets.js';
import { openStore } from '../../account/profiles/store.js';
import { usage, wrongOption } from '../../base/errors/errors.js';
import { cops, say } from '../../base/text/command-line.js';
import type { Context } from '../../session/context/context.js';
import type { EventSource } from './account-event.js';
import { type DeliveryStore, type Listener, lookAtDeliveries, openDeliveries } from './delivery-store.js';
import type { DerivedOptions } from './derived-source.js';
import { checkSigningSecret, newSigningSecret } from './sign-event.js';

/** The default name of a listener. */
export const DEFAULT_NAME = 'default';

/** The listeners of the profile and mode in use: their file, their events, their secrets. */
export type Listening = Awaited<ReturnType<typeof openListening>>;

/** Opens the listeners of the profile and mode in use. @throws CopsError as profiles do; `local` for a file error */
export async function openListening(context: Context) {
  const { world, dataDir, configDir, options } = context;
  const profile = await context.profile();
  const mode = profile.mode.value;
  const place = join(dataDir, 'events', `${encodeURIComponent(profile.name.value)}-${mode}`);
  const opened: DeliveryStore[] = [];
  const kept = <T extends DeliveryStore | undefined>(store: T): T => {
    if (store) opened.push(store);
    return store;
  };
  let source: Promise<EventSource> | undefined;
  const keeping: SecretKeeping = {
    store: openStore(configDir),
    reading: { env: world.env, configDir, signal: world.interrupted },
    get now() {
      return Math.floor(world.now() / 1000);
    },
    isDry: options.dryRun,
    make: newSigningSecret,
  };
  const secretOwner = (receiver: string): SecretOwner => ({ profile: profile.name.value, mode, receiver });
  return {
    /** Their store for writing; created when absent. */
    store: async () => kept(await openDeliveries(`${place}.sqlite`)),
    /** Their store for reading; undefined if there was never a listener. */
    look: async () => kept(await lookAtDeliveries(`${place}.sqlite`)),
    profile: profile.name.value,
    mode,
    /** The path of a name's lease. */
    lease: (name: string) => `${place}-${name}`,
    /** The events; for derived ones, which families to watch and whether to keep looking. */
    source: (options: DerivedOptions = { isListening: false, notations: [] }) => {
      source ??= openSource(context, profile.embedded, mode, options);
      return source;
    },
    secretOwner,
    keeping,
    /** The secrets of a receiver now in use; or just the one that `--secret` refers to, which is not stored. */
    secrets: async (receiver: string, given?: string) =>
      given === undefined ? eventSecrets(secretOwner(receiver), keeping) : [await givenSecret(context, given)],
    async close() {
      for (const store of opened) store.close();
      await (await source?.catch(() => undefined))?.close();
    },
  };
}

/** A signing secret by reference: `env:NAME`, `@file`, `cmd:<command line>`. @throws CopsError `usage` */
export async function givenSecret({ world, configDir }: Context, text: string): Promise<string> {
  const { readKey, readReference } = await import('../../account/profiles/keys.js');
  const readStdin = async (): Promise<string> => {
    throw wrongOption('--secret', 'it takes env:NAME, @file or cmd:<command line>.');
  };
  const reference = await readReference(text, '--secret', { cwd: world.cwd, readStdin });
  const reading = { env: world.env, configDir, signal: world.interrupted };
  return checkSigningSecret(await readKey(reference, 'the signing secret', reading), '--secret');
}

async function openSource(
  context: Context,
  isEmbedded: boolean,
  mode: 'test' | 'live',
  options: DerivedOptions,
): Promise<EventSource> {
  if (isEmbedded) return (await import('./sandbox-source.js')).openSandboxSource(context, mode);
  return (await import('./derived-source.js')).openDerivedSource(context, options);
}

/** A name for a listener. @throws CopsError `usage` */
export function checkName(text: string | undefined): string {
  const name = text ?? DEFAULT_NAME;
  if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(name) || name.endsWith('.'))
    throw wrongOption('--as', 'a name is up to 64 letters, digits, dots, dashes and underscores.');
  return name;
}

/** The listener of a command line: by its name, else the only one. @throws CopsError `usage` */
export function listenerMeant(store: DeliveryStore | undefined, as: string | undefined): Listener {
  const all = store?.listeners() ?? [];
  const named = as === undefined ? undefined : checkName(as);
  const found = named === undefined ? all : all.filter(({ name }) => name === named);
  const [only, ...more] = found;
  if (only !== undefined && more.length === 0) return only;
  const begin = say`Start one: ${cops`events listen --as ${named ?? DEFAULT_NAME} --forward-to http://localhost:3000/hooks`}`;
  if (only === undefined)
    throw usage(named === undefined ? 'There is no listener yet.' : `There is no listener ${named}.`, begin);
  throw usage(
    `There are several listeners: ${all.map(({ name }) => name).join(', ')}.`,
    'Name one with --as, or give its receiver with --forward-to.',
  );
}
