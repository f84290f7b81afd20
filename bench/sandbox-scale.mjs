// What changes with the size of an account: filters, searches, look-ups, sales; what one request makes others wait; how
// many sales a second are written; how soon a server stops that has connections open.
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';

const KEY = 'sandbox-key-no-secret-0000000001-test';
const DAY = 86_400;
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const say = (line) => process.stdout.write(`${line}\n`);
const at = (values, share) => [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * share)];

/** One request on its way; a body makes it a POST. Times are milliseconds from the first byte sent. */
function ask(url, body) {
  return new Promise((done, fail) => {
    const began = performance.now();
    const sent = request(url, { agent, method: body ? 'POST' : 'GET', headers: { 'x-api-key': KEY } }, (response) => {
      const pieces = [];
      response.on('data', (piece) => pieces.push(piece));
      response.on('end', () => {
        const ms = performance.now() - began;
        const text = Buffer.concat(pieces).toString();
        if (response.statusCode !== 200) fail(new Error(text.slice(0, 300)));
        else done({ ms, body: JSON.parse(text) });
      });
    });
    sent.on('error', fail);
    sent.end(body && JSON.stringify(body));
  });
}

async function median(turns, one) {
  const times = [];
  for (let turn = 0; turn < turns; turn++) times.push((await one(turn)).ms);
  return at(times, 0.5);
}

async function subject(url) {
  const end = Math.floor(Date.now() / 1000);
  const list = 'limit=25&page=1';
  const campaigns = (await ask(`${url}/campaigns?${list}`)).body.results;
  const profile = (await ask(`${url}/payment_profiles?${list}`)).body.results[0].id;
  const product = (await ask(`${url}/products/search?search_term=Ceramic%20Mug`)).body.results[0].id;
  const buyers = (
    await ask(`${url}/customers?date_start=${end - 80 * DAY}&date_end=${end}&${list}`)
  ).body.results.filter(({ blocked }) => !blocked);
  const payments = (await ask(`${url}/transactions?date_start=${end - 80 * DAY}&date_end=${end}&${list}`)).body.results;
  let sales = 0;
  return { url, end, campaigns, profile, product, buyers, payments, next: () => sales++ };
}

/** One of the newest customers. None is blocked: a blocked one's order counts as fraud. */
const buyer = ({ buyers }, turn) => buyers[turn % buyers.length];

// Each turn has another window, so that nothing remembered helps.
const window = ({ end }, turn) => `date_start=${end - 89 * DAY + turn * 61}&date_end=${end - turn * 7}`;

const renewals = (on, turn, more) => ask(`${on.url}/subscription_renewals?${window(on, turn)}&limit=25&${more}`);

function sale(on, email) {
  const number = on.next();
  return ask(`${on.url}/sales`, {
    campaign: on.campaigns[0].id,
    payment_type: 'credit_card',
    payment_profile: on.profile,
    iso_currency: 'USD',
    idempotency_key: `bench-${on.end}-${process.pid}-${number}`,
    customer: {
      first_name: 'Bench',
      last_name: 'Buyer',
      email: email ?? `bench${number % 500}@example.com`,
      country: 'USA',
    },
    credit_card: { card_number: '4111111111111111', exp_month: 12, exp_year: 30, card_code: '123' },
    products: [{ id: on.product, quantity: 1 }],
  });
}

const DEEDS = {
  'filtered page, first': (on, turn) =>
    renewals(on, turn, `page=1&campaign_filter=${on.campaigns[turn % 3].id}&currency_filter=USD`),
  'filtered page, in the middle': (on, turn) =>
    renewals(on, turn, `page=${on.middle}&campaign_filter=${on.campaigns[0].id}&currency_filter=USD`),
  'page by metadata': (on, turn) =>
    renewals(on, turn, `page=2&metadata_filter=${encodeURIComponent('{"name":"note","value":"loyal"}')}`),
  'search for an e-mail address': (on, turn) =>
    ask(`${on.url}/customers/search?search_term=${encodeURIComponent(buyer(on, turn).email)}`),
  'search for a name': (on, turn) => ask(`${on.url}/sales/search?search_term=${buyer(on, turn).last_name}`),
  "search for a gateway's id": (on, turn) =>
    ask(`${on.url}/transactions/search?search_term=${on.payments[turn % 25].gateway_transaction_id}`),
  'search for nothing': (on, turn) => ask(`${on.url}/transactions/search?search_term=nothing${turn}`),
  'sale to a known address': (on, turn) => sale(on, buyer(on, turn).email),
};

/** The same deeds on both accounts, in turns. */
async function compare(few, many) {
  for (const on of [few, many]) {
    const first = await renewals(on, 0, `page=1&campaign_filter=${on.campaigns[0].id}&currency_filter=USD`);
    on.middle = Math.max(1, Math.floor(first.body.total_pages / 2));
  }
  for (const [name, deed] of Object.entries(DEEDS)) {
    const [one, other] = [await median(41, (turn) => deed(few, turn)), await median(41, (turn) => deed(many, turn))];
    say(`${name}: ${one.toFixed(2)} ms, ${other.toFixed(2)} ms, ratio ${(other / one).toFixed(2)} (at most 5)`);
  }
}

/** How long a small read waits while the large account is asked for what costs most, against the same in peace. */
async function holds(on) {
  const ping = async (until) => {
    const times = [];
    while (!until.isOver) {
      times.push((await ask(`${on.url}/campaigns?limit=1&page=1`)).ms);
      await new Promise((done) => setTimeout(done, 2));
    }
    return times;
  };
  const during = async (work) => {
    const until = { isOver: false };
    const [times] = await Promise.all([ping(until), work().finally(() => (until.isOver = true))]);
    return { median: at(times, 0.5), most: at(times, 1), late: at(times, 0.99) };
  };
  const peace = await during(() => new Promise((done) => setTimeout(done, 2000)));
  const busy = await during(async () => {
    for (let turn = 0; turn < 5; turn++) for (const deed of Object.values(DEEDS)) await deed(on, turn);
    await ask(`${on.url}/bigquery`, { bigquery_sql: 'SELECT count(*) AS n FROM customer' });
  });
  for (const [name, { median: middle, late, most }] of Object.entries({ peace, busy }))
    say(
      `a small read in ${name}: median ${middle.toFixed(1)} ms, of 100 the slowest ${late.toFixed(1)} ms, longest ${most.toFixed(1)} ms`,
    );
  say(`one request holds others by ${Math.max(0, busy.late - peace.late).toFixed(1)} ms (at most 50)`);
}

/** Seconds of processor time that a process has used, where the system tells it. */
export function processorSeconds(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return Number.NaN;
  }
}

/** Sales a second, and the server's processor time for one, milliseconds: that stays when others use the machine. */
async function writes(on, pid, total, lanes) {
  let left = total;
  const used = processorSeconds(pid);
  const began = performance.now();
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (left-- > 0) await sale(on);
    }),
  );
  const rate = total / ((performance.now() - began) / 1000);
  return { rate, cost: ((processorSeconds(pid) - used) * 1000) / total };
}

/** @param servers two of `{ child, url }`, with few and with many renewals */
export async function scale({ few, many }) {
  const [small, large] = [await subject(few.url), await subject(many.url)];
  await compare(small, large);
  await holds(large);
  await writes(small, few.child.pid, 300, 8);
  for (const [on, pid, name] of [
    [small, few.child.pid, 'few'],
    [large, many.child.pid, 'many'],
  ]) {
    // The first are written by code that is not compiled yet.
    const cold = await writes(on, pid, 3000, 32);
    const warm = [await writes(on, pid, 3000, 32), await writes(on, pid, 3000, 32)];
    const rates = warm.map(({ rate }) => rate.toFixed(0)).join(' and ');
    say(
      `sales written with ${name} renewals, 3,000 at a time: ${cold.rate.toFixed(0)} a second at first, then ${rates} (at least 1000), ` +
        `${cold.cost.toFixed(2)} and ${warm.map(({ cost }) => cost.toFixed(2)).join(', ')} ms of processor time each`,
    );
  }
  const began = performance.now();
  many.child.kill('SIGINT');
  await new Promise((done) => many.child.once('exit', done));
  say(`stopped with connections open: ${(performance.now() - began).toFixed(0)} ms (at most 1000)`);
  agent.destroy();
}
