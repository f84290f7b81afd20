import { describe, expect, it } from 'vitest';
import { type ResolveInput, resolveDefaults, resolveProfile } from '../../../src/account/profiles/resolve.js';
import type { Configuration } from '../../../src/account/profiles/store.js';
import { CopsError } from '../../../src/base/errors/errors.js';

const stored = (key: string) => ({ kind: 'stored' as const, key });
const ACME = {
  base_url: 'https://api.acme.example/v2',
  test_key: stored('acme-test-key-T111'),
  live_key: stored('acme-live-key-L222'),
};

interface Given extends Partial<Omit<ResolveInput, 'store'>> {
  readonly config?: Partial<Configuration>;
  readonly exposed?: boolean;
  readonly notes?: string[];
}

function input({ config, exposed, notes, ...rest }: Given = {}): ResolveInput {
  return {
    store: {
      path: '/home/u/.config/cops/config.json',
      read: () => ({ profiles: { acme: ACME }, aliases: {}, ...config }),
      exposed: () => exposed === true,
    },
    options: {},
    env: {},
    zone: 'Etc/GMT+1',
    proof: () => 'unproven',
    ...(notes ? { note: (text: string) => notes.push(text) } : {}),
    ...rest,
  };
}

async function failure(given: Given): Promise<CopsError> {
  const error = await resolveProfile(input(given)).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(CopsError);
  return error as CopsError;
}

describe('precedence', () => {
  const full = { ...ACME, mode: 'live' as const, output: 'csv', tz: 'Asia/Tokyo', rate: 2 };
  const env = {
    COPS_MODE: 'test',
    COPS_BASE_URL: 'https://env.example/',
    COPS_OUTPUT: 'yaml',
    COPS_TZ: 'Europe/Paris',
    COPS_RATE: '3',
  };
  const options = {
    mode: 'live' as const,
    baseUrl: 'https://flag.example',
    sendKeyTo: 'flag.example',
    output: 'json',
    tz: 'America/Lima',
    rate: 4,
  };
  const values = async (given: Given) => {
    const { mode, baseUrl, output, tz, rate } = await resolveProfile(input(given));
    return { mode, baseUrl, output, tz, rate };
  };

  it('takes defaults where nothing is said', async () => {
    expect(await values({})).toEqual({
      mode: { value: 'test', source: 'default' },
      baseUrl: { value: 'https://api.acme.example/v2', source: 'profile acme' },
      output: { value: undefined, source: 'default' },
      tz: { value: 'Etc/GMT+1', source: 'this machine' },
      rate: { value: undefined, source: 'default' },
    });
  });

  it('puts the profile before defaults, variables before it, flags before all', async () => {
    const config = { profiles: { acme: full } };
    expect(await values({ config })).toEqual({
      mode: { value: 'live', source: 'profile acme' },
      baseUrl: { value: 'https://api.acme.example/v2', source: 'profile acme' },
      output: { value: 'csv', source: 'profile acme' },
      tz: { value: 'Asia/Tokyo', source: 'profile acme' },
      rate: { value: 2, source: 'profile acme' },
    });
    expect(await values({ config, env, options: { sendKeyTo: 'env.example' } })).toEqual({
      mode: { value: 'test', source: 'COPS_MODE' },
      baseUrl: { value: 'https://env.example', source: 'COPS_BASE_URL' },
      output: { value: 'yaml', source: 'COPS_OUTPUT' },
      tz: { value: 'Europe/Paris', source: 'COPS_TZ' },
      rate: { value: 3, source: 'COPS_RATE' },
    });
    expect(await values({ config, env, options })).toEqual({
      mode: { value: 'live', source: 'flag --live' },
      baseUrl: { value: 'https://flag.example', source: 'flag --base-url' },
      output: { value: 'json', source: 'flag --output' },
      tz: { value: 'America/Lima', source: 'flag --tz' },
      rate: { value: 4, source: 'flag --rate' },
    });
  });

  it('takes an empty variable for one that is not set', async () => {
    const empty = Object.fromEntries([...Object.keys(env), 'COPS_API_KEY', 'COPS_PROFILE'].map((name) => [name, '']));
    expect(await values({ env: empty })).toEqual(await values({}));
  });

  it('uses the key of the mode in use', async () => {
    expect((await resolveProfile(input())).key.value).toBe('acme-test-key-T111');
    expect((await resolveProfile(input({ options: { mode: 'live' } }))).key.value).toBe('acme-live-key-L222');
    expect((await resolveProfile(input({ env: { COPS_MODE: 'live' } }))).key.value).toBe('acme-live-key-L222');
  });

  it('asks for the proof of exactly the key, address and mode in use', async () => {
    const profile = await resolveProfile(
      input({
        options: { mode: 'live' },
        proof: (known) =>
          known.key.value === 'acme-live-key-L222' &&
          known.mode.value === 'live' &&
          known.baseUrl.value === ACME.base_url
            ? 'proven'
            : 'contradicted',
      }),
    );
    expect(profile.proof).toBe('proven');
  });

  it('knows the defaults without touching the key', () => {
    const config = { profiles: { acme: { ...full, live_key: { kind: 'command' as const, command: 'exit 1' } } } };
    expect(resolveDefaults(input({ config }))).toMatchObject({
      name: { value: 'acme' },
      mode: { value: 'live' },
      output: { value: 'csv' },
    });
  });
});

describe('COPS_API_KEY', () => {
  const env = { COPS_API_KEY: 'env-key-123456' };

  it.each([{}, { COPS_MODE: '' }, { COPS_MODE: '  ' }])('without a mode is guarded as live (%o)', async (more) => {
    for (const mode of ['test', 'live'] as const) {
      const config = { profiles: { acme: { ...ACME, mode } } };
      const profile = await resolveProfile(input({ config, env: { ...env, ...more } }));
      expect(profile).toMatchObject({ modeAssumed: true, mode: { value: 'live' }, key: { value: env.COPS_API_KEY } });
    }
  });

  it('with a mode said is of that mode', async () => {
    for (const given of [{ env: { ...env, COPS_MODE: 'test' } }, { env, options: { mode: 'test' as const } }])
      expect(await resolveProfile(input(given))).toMatchObject({ modeAssumed: false, mode: { value: 'test' } });
  });

  it('needs no profile where a base URL is said', async () => {
    const profile = await resolveProfile(
      input({ config: { profiles: {} }, env: { ...env, COPS_BASE_URL: 'http://127.0.0.1:4000/v2/' } }),
    );
    expect(profile.name.value).toBe('env');
    expect(profile.baseUrl.value).toBe('http://127.0.0.1:4000/v2');
    expect((await failure({ config: { profiles: {} }, env })).exitCode).toBe(2);
  });

  it('says that it goes before the key of a profile that was named', async () => {
    const notes: string[] = [];
    await resolveProfile(input({ env, options: { profile: 'acme' }, notes }));
    expect(notes.join()).toContain('COPS_API_KEY');
    expect(notes.join()).not.toContain(env.COPS_API_KEY);
  });

  it('is never in the message when it is bad', async () => {
    const error = await failure({ env: { COPS_API_KEY: 'sec ret\u0007key' } });
    expect(error.exitCode).toBe(2);
    expect(error.message).toContain('COPS_API_KEY');
    expect(error.message + error.facts.hint).not.toMatch(/sec|ret\b/);
  });
});

describe('which profile', () => {
  const two = { acme: ACME, beta: { ...ACME, base_url: 'https://beta.example' } };

  it('is the one that is named, by flag before variable', async () => {
    const env = { COPS_PROFILE: 'acme' };
    expect((await resolveProfile(input({ config: { profiles: two }, env }))).name.value).toBe('acme');
    const options = { profile: 'beta' };
    expect((await resolveProfile(input({ config: { profiles: two }, env, options }))).name.value).toBe('beta');
  });

  it('is the current one, then the only one', async () => {
    expect((await resolveProfile(input({ config: { profiles: two, current: 'beta' } }))).name.value).toBe('beta');
    expect((await resolveProfile(input())).name.value).toBe('acme');
    const withSandbox = { profiles: { acme: ACME, sandbox: { mode: 'live' as const } } };
    expect((await resolveProfile(input({ config: withSandbox }))).name.value).toBe('acme');
  });

  it('is an error with the choice where several are there', async () => {
    const error = await failure({ config: { profiles: two } });
    expect(error.exitCode).toBe(2);
    expect(error.message).toContain('acme, beta');
  });

  it('keeps the sandbox to itself, whatever account the environment is for', async () => {
    const env = { COPS_API_KEY: 'key-of-an-account', COPS_BASE_URL: 'https://env.example/v2' };
    const notes: string[] = [];
    const seen = await resolveProfile(input({ options: { profile: 'sandbox' }, env, notes }));
    expect(seen).toMatchObject({ embedded: true, mode: { value: 'test' }, modeAssumed: false });
    expect([seen.key.value, seen.baseUrl.value]).not.toContain('key-of-an-account');
    expect(notes).toEqual([expect.stringContaining('COPS_API_KEY and COPS_BASE_URL are not used')]);
    // Not chosen on this line, it gives way: the key says which account is meant.
    const current = await resolveProfile(input({ config: { current: 'sandbox' }, env }));
    expect(current).toMatchObject({ name: { value: 'env' }, embedded: false, modeAssumed: true });
  });

  it('is an error with the nearest name where it is not there', async () => {
    const error = await failure({ options: { profile: 'acne' } });
    expect(error.exitCode).toBe(2);
    expect(error.message).toContain('Did you mean acme?');
    expect((await failure({ env: { COPS_PROFILE: 'sandbx' } })).message).toContain('Did you mean sandbox?');
    expect((await failure({ config: { current: 'gone' } })).exitCode).toBe(2);
    expect((await failure({ options: { profile: '__proto__' } })).exitCode).toBe(2);
    expect((await failure({ options: { profile: 'toString' } })).exitCode).toBe(2);
  });

  it('without any, tells login and the sandbox (exit code 3)', async () => {
    const error = await failure({ config: { profiles: {} } });
    expect(error.exitCode).toBe(3);
    expect(String(error.facts.hint)).toContain('cops login');
    expect(String(error.facts.hint)).toContain('-p sandbox');
  });
});

describe('the sandbox', () => {
  const options = { profile: 'sandbox' };

  it('is there without a configuration, with keys of both modes', async () => {
    const test = await resolveProfile(input({ config: { profiles: {} }, options }));
    const live = await resolveProfile(input({ config: { profiles: {} }, options: { ...options, mode: 'live' } }));
    expect(test).toMatchObject({ embedded: true, mode: { value: 'test' }, modeAssumed: false });
    expect(live).toMatchObject({ embedded: true, mode: { value: 'live' } });
    expect(live.key.value).not.toBe(test.key.value);
  });

  it('keeps stored settings, and its own keys and address whatever the file says', async () => {
    const config = { profiles: { sandbox: { ...ACME, mode: 'live' as const, tz: 'Asia/Tokyo' } } };
    const profile = await resolveProfile(input({ config, options }));
    expect(profile).toMatchObject({ embedded: true, mode: { value: 'live' }, tz: { value: 'Asia/Tokyo' } });
    expect(JSON.stringify(profile)).not.toContain('acme');
  });

  it('is a served one where a base URL is said', async () => {
    const env = { COPS_BASE_URL: 'http://localhost:9000' };
    expect(await resolveProfile(input({ options, env }))).toMatchObject({
      embedded: false,
      baseUrl: { value: 'http://localhost:9000' },
    });
  });
});

describe('what is refused', () => {
  it.each([
    ['COPS_MODE', 'production'],
    ['COPS_MODE', 'LIVE'],
    ['COPS_OUTPUT', 'xml'],
    ['COPS_TZ', 'Mars/Olympus'],
    ['COPS_RATE', '0'],
    ['COPS_RATE', '-1'],
    ['COPS_RATE', '1e3'],
    ['COPS_RATE', 'NaN'],
    ['COPS_BASE_URL', 'http://api.example.com'],
    ['COPS_BASE_URL', 'ftp://127.0.0.1'],
    ['COPS_BASE_URL', 'api.example.com/v2'],
    ['COPS_BASE_URL', 'https://'],
    ['COPS_BASE_URL', 'https://u:secret@api.example.com'],
    ['COPS_BASE_URL', 'https://api.example.com/v2?x=1'],
    ['COPS_BASE_URL', 'https://api.example.com/#x'],
    ['COPS_BASE_URL', 'https://api.exa mple.com'],
    ['COPS_BASE_URL', 'http://127.0.0.1.evil.example'],
    ['COPS_BASE_URL', 'http://localhost@evil.example'],
  ])('%s=%s, naming it', async (name, value) => {
    const error = await failure({ env: { [name]: value } });
    expect(error.exitCode).toBe(2);
    expect(error.message).toContain(name);
    expect(error.message).not.toContain('secret');
  });

  it.each([
    'http://localhost:1/v2',
    'http://127.0.0.1',
    'http://127.1.2.3:8/x',
    'http://[::1]:8',
    'https://a.example/',
  ])('not %s', async (url) => {
    const { baseUrl } = await resolveProfile(input({ options: { baseUrl: url, sendKeyTo: new URL(url).host } }));
    expect(baseUrl.value).toBe(url.replace(/\/+$/, ''));
  });

  it('a profile without the key of the mode in use (exit code 3), with how to add it', async () => {
    const { live_key: _, ...testOnly } = ACME;
    const error = await failure({ config: { profiles: { acme: testOnly } }, options: { mode: 'live' } });
    expect(error.exitCode).toBe(3);
    expect(String(error.facts.hint)).toContain('--live-key');
  });
});

describe('notes', () => {
  it('are not needed for a stored key that may go to another host, since that has to be said', async () => {
    const other = { COPS_BASE_URL: 'https://other.example' };
    expect((await failure({ env: other })).exitCode).toBe(12);
    const notes: string[] = [];
    await resolveProfile(input({ notes, env: other, options: { sendKeyTo: 'other.example' } }));
    await resolveProfile(input({ notes, env: { COPS_BASE_URL: 'https://api.acme.example/v3' } }));
    expect(notes).toEqual([]);
  });

  it('tell when others can read the stored keys', async () => {
    const notes: string[] = [];
    await resolveProfile(input({ notes, exposed: true }));
    expect(notes.join()).toContain('chmod 600');
  });
});
