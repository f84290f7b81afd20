import { ENDS_WITH_PARENT } from '../../base/database/child.js';

/**
 * The process that runs a query, so that Ctrl-C can end one that has not returned a row yet. It opens the file
 * read-only and answers line by line: `C` with the columns, `R` for a row as JSON, `E` for an error.
 */
export const QUERY_SCRIPT = `${ENDS_WITH_PARENT}
let input = '';
process.stdin.on('data', (piece) => { input += piece; }).on('end', async () => {
  const job = JSON.parse(input);
  const out = process.stdout;
  // Some versions of Node also break lines at these two.
  const whole = (line) => line.replace(/[\\u2028\\u2029]/g, (sign) => (sign === '\\u2028' ? '\\\\u2028' : '\\\\u2029'));
  const write = (line) => out.write(whole(line) + '\\n');
  const say = async (line) => { if (!write(line)) await new Promise((go) => out.once('drain', go)); };
  out.on('error', () => process.exit(0));
  process.removeAllListeners('warning');
  try {
    const engine = require(job.module);
    const isNode = Boolean(engine.DatabaseSync);
    const address = require('node:url').pathToFileURL(job.file).href + '?mode=ro';
    const db = isNode ? new engine.DatabaseSync(job.file, { readOnly: true }) : new engine(address);
    db.exec('PRAGMA busy_timeout = 15000');
    // A query that uses up the memory would end other programs, not this one.
    db.exec('PRAGMA hard_heap_limit = ' + Math.floor(job.memory || Math.min(2 ** 31, require('node:os').totalmem() / 2)));
    // Moving temporary storage drops the views.
    db.exec('PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY');
    for (const sql of job.before) db.exec(sql);
    db.exec('PRAGMA query_only = ON');
    const statement = db.prepare(job.sql);
    if (isNode) { statement.setReadBigInts(true); statement.setReturnArrays(true); }
    else { if (!statement.reader) throw new Error('only a query that gives rows is run'); statement.raw(true); statement.safeIntegers(true); }
    const seen = new Map();
    const names = statement.columns().map(({ name }) => {
      const count = (seen.get(name) || 0) + 1;
      seen.set(name, count);
      return count === 1 ? name : name + '_' + count;
    });
    await say('C' + JSON.stringify(names));
    const heads = names.map((name) => JSON.stringify(name) + ':');
    const text = (cell) => {
      if (typeof cell === 'bigint') return String(cell);
      if (cell !== null && typeof cell === 'object') return JSON.stringify(Buffer.from(cell).toString('hex'));
      if (typeof cell === 'number' && !Number.isFinite(cell)) return JSON.stringify(String(cell));
      return JSON.stringify(cell);
    };
    let buffer = '';
    for (const row of isNode ? statement.iterate() : statement.iterate([])) {
      buffer += (buffer ? '\\n' : '') + 'R{' + row.map((cell, i) => heads[i] + text(cell)).join(',') + '}';
      if (buffer.length > 65536) { await say(buffer); buffer = ''; }
    }
    if (buffer) await say(buffer);
    await say('D');
  } catch (error) {
    await say('E' + JSON.stringify(String(error && error.message || error)));
  }
});
`;
