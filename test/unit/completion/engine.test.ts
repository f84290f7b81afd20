import { describe, expect, it } from 'vitest';
import type { SeenId } from '../../../src/account/seen-ids/ids.js';
import { FAMILY_INDEX, loadFamily } from '../../../src/catalogue/index.js';
import { candidatesAt } from '../../../src/cli/completion/complete-engine.js';
import type { Facts } from '../../../src/cli/completion/complete-options.js';
import { fieldCandidates } from '../../../src/cli/completion/paths.js';

const ID = 'aBcDeFgHiJkLmNoPqRsT';
const OTHER = 'zYxWvUtSrQpOnMlKjIhG';

interface Asked {
  readonly family: string;
  readonly said: { readonly profile?: string | undefined; readonly mode?: string | undefined };
}

function facts(asked: Asked[] = []): Facts {
  const seen: Readonly<Record<string, readonly SeenId[]>> = {
    subscriptions: [
      { id: ID, name: 'Ada Lovelace', made: 1_767_225_600 },
      { id: OTHER, name: '', made: 0 },
    ],
    campaigns: [{ id: OTHER, name: 'Spring', made: 0 }],
    customers: [{ id: ID, name: 'Ada Lovelace', made: 0 }],
  };
  return {
    configuration: () => ({
      profiles: ['acme', 'beta', 'sandbox'],
      aliases: { mine: 'subscriptions list --last 7d', void: 'sales void $1' },
      current: 'acme',
      of: () => ({ mode: undefined, baseUrl: undefined, idCache: true }),
    }),
    seen: (family, said) => {
      asked.push({ family, said });
      return [...(seen[family] ?? [])];
    },
  };
}

/** The line is split at spaces; its last part stands at the cursor. */
async function at(line: string): Promise<string[]> {
  const parts = line.split(' ');
  const answer = await candidatesAt(parts.slice(0, -1), parts.at(-1) ?? '', facts());
  return [...answer.candidates.map((one) => one.value), ...(answer.files ? [`FILES ${answer.files.prefix}`] : [])];
}

it('continues inside a word of --with, condition by condition', async () => {
  const line = ['customers', 'list', '--with'];
  const offered = async (typed: string) =>
    (await candidatesAt(line, typed, facts())).candidates.map(({ value }) => value);
  expect(await offered('subscriptions st')).toEqual(['subscriptions status=']);
  expect(await offered('subscriptions status=ac')).toEqual(['subscriptions status=active']);
  expect(await offered('subscriptions status=active, product.na')).toEqual([
    'subscriptions status=active, product.name=',
  ]);
});

describe('what may stand at the cursor', () => {
  const exact: readonly (readonly [line: string, wanted: readonly string[]])[] = [
    ['subscr', ['subscription-profiles', 'subscription-renewals', 'subscriptions']],
    ['Subscription_p', ['subscription-profiles']],
    ['expo', ['export']],
    ['subscriptions can', ['cancel']],
    ['subscription can', ['cancel']],
    ['-p acme subscriptions can', ['cancel']],
    ['--output=json subscriptions can', ['cancel']],
    ['customers payment-methods set', ['set-default']],
    ['customers payment_method set', ['set-default']],
    ['nonsense list ', []],
    ['subscriptions nonsense ', []],
    ['-o js', ['json', 'jsonl']],
    ['subscriptions list --where st', ['status=']],
    ['subscriptions list --where status=ac', ['status=active']],
    ['subscriptions list --where=status!=su', ['--where=status!=suspended']],
    ['subscriptions list --where customer.cou', ['customer.country=']],
    ['bulk subscriptions suspend --where st', ['status=']],
    ['bulk subscriptions suspend --where status=ac', ['status=active']],
    ['bulk subscriptions suspend --where customer.cou', ['customer.country=']],
    ['bulk customers disable --with chargeb', ['chargebacks']],
    ['subscriptions list --where card.exp', ['card.expiry_date=', 'card.expiry_month=', 'card.expiry_year=']],
    ['subscriptions list --where card.is_default=', ['card.is_default=true', 'card.is_default=false']],
    ['subscriptions list --where created_date_unix>to', ['created_date_unix>today']],
    ['subscription-renewals list --where subscription.stat', ['subscription.status=']],
    ['subscription-renewals list --where subscription.status=ov', ['subscription.status=overdue']],
    ['subscription-renewals list --where subscription.customer.cou', ['subscription.customer.country=']],
    ['subscriptions list --where nothing.', []],
    ['subscriptions list --sort amount,-customer.cou', ['amount,-customer.country']],
    ['subscriptions list --columns id,card.last', ['id,card.last_4']],
    ['customers list --with subscript', ['subscriptions']],
    ['customers list --without char', ['chargebacks']],
    ['-oy', ['-oyaml']],
    ['--output=c', ['--output=csv']],
    ['subscriptions list -o t', ['table', 'tsv']],
    ['-p ', ['acme', 'beta', 'sandbox']],
    ['customers list --profile b', ['beta']],
    ['profiles use a', ['acme']],
    ['profiles remove b', ['beta']],
    ['profiles show s', ['sandbox']],
    ['logout a', ['acme']],
    ['profiles sh', ['show']],
    ['mode ', ['test', 'live']],
    ['mode test ', []],
    ['config set mo', ['mode']],
    ['config set mode l', ['live']],
    ['config set read_only ', ['true', 'false']],
    ['config set current ', ['acme', 'beta', 'sandbox']],
    ['config unset alias.m', ['alias.mine']],
    ['--tz Europe/Berl', ['Europe/Berlin']],
    ['--tz Euro', ['Europe/']],
    ['export status ', ['FILES ']],
    ['export customers --out ', ['-', 'FILES ']],
    ['export customers --format p', ['parquet']],
    ['export customers --camp', ['--campaign']],
    ['export nonsense --camp', []],
    ['bulk subscriptions can', ['cancel']],
    ['bulk subscriptions li', []],
    ['bulk re', ['resume', 'reconcile', 'retry-failed', 'report']],
    ['bulk resume ', ['FILES ']],
    ['bulk subscriptions cancel --ids ', ['-', 'FILES ']],
    ['bulk --ids file subscriptions can', ['cancel']],
    ['bulk customers edit -d customer.em', ['customer.email=']],
    ['completion ', ['install', 'uninstall', 'forget', 'bash', 'zsh', 'fish', 'powershell']],
    ['completion install ', ['bash', 'zsh', 'fish', 'powershell']],
    ['help dat', ['dates']],
    ['help subscriptions can', ['cancel']],
    ['help profiles ren', ['rename']],
    ['reference err', ['error-codes']],
    ['explain subscription-r', ['subscription-renewals']],
    ['api P', ['POST']],
    ['api GET /tria', ['/trials']],
    ['sandbox re', ['reset']],
    ['sandbox reset --size ', ['small', 'medium', 'large']],
    ['sandbox serve --fault cut', ['cut-before=', 'cut-after=']],
    ['sandbox serve --range-ends ', ['in', 'out']],
    ['history settle x --as ', ['done', 'not-done']],
    ['sync ', ['FILES ']],
    ['sync folder custo', ['customer-cards', 'customer-groups', 'customer-portals', 'customers']],
    ['subscriptions cancel ', [ID, OTHER]],
    ['subscriptions cancel a', [ID]],
    [`subscriptions cancel ${ID} `, [OTHER]],
    ['subscriptions get ', [ID, OTHER]],
    ['customers payment-methods list ', [ID]],
    ['customers list --campaign ', [OTHER]],
    ['customers create --body @x', ['FILES @']],
    ['customers create --body ', ['@', '-']],
    ['customers create --body=@x', ['FILES --body=@']],
    ['customers create -d customer.em', ['customer.email=']],
    ['customers create -d internal_customer_id=@x', ['FILES internal_customer_id=@']],
    ['functions check ', ['-', 'FILES ']],
    ['functions check some', ['FILES ']],
    ['site-logs ta', ['tail']],
    ['site-logs tail --int', ['--interval']],
    ['bigquery query ', ['@', '-']],
    ['customers list --last 3', ['30d']],
    ['customers list --columns id,em', ['id,email']],
    ['customers list --page 2 --las', ['--last']],
    ['customers list --last 7d --las', []],
    ['customers list -- --las', []],
    ['mine --oldest', ['--oldest-first']],
    ['mine --last 7d --las', []],
    ['void ', []],
    ['min', ['mine']],
  ];
  it.each(exact)('%s', async (line, wanted) => {
    expect(await at(line)).toEqual(wanted);
  });

  it('begins with every family and every command', async () => {
    const heads = await at('');
    for (const family of FAMILY_INDEX) expect(heads).toContain(family.command);
    expect(heads).toEqual(expect.arrayContaining(['login', 'export', 'bulk', 'completion', 'help', 'mine']));
  });

  it('offers every action of every family, level by level', async () => {
    for (const family of FAMILY_INDEX) {
      for (const { action } of family.actions) {
        const words = action.split(' ');
        const before = [family.command, ...words.slice(0, -1)].join(' ');
        expect(await at(`${before} ${words.at(-1)}`), `${family.command} ${action}`).toContain(words.at(-1));
      }
    }
  });

  it('offers the options of the operation and the global ones, and each once', async () => {
    const options = await at('subscriptions list --');
    expect(options).toEqual(
      expect.arrayContaining(['--last', '--limit', '--columns', '--profile', '--live', '--help']),
    );
    expect(new Set(options).size).toBe(options.length);
    expect(await at('subscriptions cancel --')).not.toContain('--last');
  });

  it('offers the values of filters that are made here', async () => {
    expect(await at('subscriptions list --status ')).toEqual(expect.arrayContaining(['active', 'overdue']));
    expect(await at('transactions list --status d')).toEqual(['declined']);
  });

  it('offers both sides of a switch until one is given', async () => {
    expect(await at('customers list --no-r')).toEqual(['--no-range']);
    const before = await at('products edit ID --');
    expect(before).toEqual(expect.arrayContaining(['--enabled', '--no-enabled']));
    expect(await at('products edit ID --enabled --no-en')).toEqual([]);
  });

  it('offers the options of a list where no word can follow', async () => {
    expect(await at('customers list ')).toContain('--campaign');
    expect(await at('customers list x')).toEqual([]);
  });

  it('never offers a secret field or its value, however deep it is', async () => {
    const secret = /(?:^|\.)(?:card_number|card_code|cvv|secret_key|api_key|password)\b/;
    for (const family of FAMILY_INDEX) {
      for (const operation of (await loadFamily(family.name)).operations) {
        const open = [''];
        for (let path = open.pop(); path !== undefined; path = open.pop()) {
          for (const { value } of fieldCandidates(operation, path)) {
            expect(`${path}${value}`).not.toMatch(secret);
            if (value.endsWith('.') && path.split('.').length < 6) open.push(`${path}${value}`);
          }
        }
      }
    }
    expect(await at('customers create -d payment.card.card_n')).toEqual([]);
  });

  it('looks ids up in the profile and mode that the line means', async () => {
    const asked: Asked[] = [];
    await candidatesAt(['-p', 'beta', '--live', 'subscriptions', 'get'], '', facts(asked));
    expect(asked[0]).toEqual({ family: 'subscriptions', said: { profile: 'beta', mode: 'live' } });
    await candidatesAt(['subscriptions', '--test', 'get'], '', facts(asked));
    expect(asked.at(-1)?.said).toEqual({ profile: undefined, mode: 'test' });
  });

  it('says what an id is', async () => {
    const { candidates } = await candidatesAt(['subscriptions', 'get'], 'a', facts());
    expect(candidates).toEqual([{ value: ID, about: 'Ada Lovelace  2026-01-01' }]);
  });

  it('has an end for an alias of itself', async () => {
    const loop: Facts = {
      ...facts(),
      configuration: () => ({ ...facts().configuration(), aliases: { a: 'b', b: 'a' } }),
    };
    expect((await candidatesAt(['a'], '', loop)).candidates).toEqual([]);
  });
});
