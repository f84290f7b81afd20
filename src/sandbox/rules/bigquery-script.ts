import { ENDS_WITH_PARENT } from '../../base/database/child.js';

/**
 * The process that runs a query of the BigQuery substitute. Counts are strings in the published example, so all numbers
 * are.
 */
export const BIGQUERY_SCRIPT = `${ENDS_WITH_PARENT}
let input = '';
process.stdin.on('data', (piece) => { input += piece; }).on('end', () => {
  const job = JSON.parse(input);
  const answer = (value) => process.stdout.write(JSON.stringify(value));
  try {
    const engine = require(job.module);
    const Engine = engine.DatabaseSync || engine;
    const db = new Engine(job.file);
    db.exec('PRAGMA busy_timeout = 10000');
    for (const view of job.views) db.exec(view);
    db.exec('PRAGMA query_only = ON');
    const rows = [];
    let size = 0;
    for (const row of db.prepare(job.sql).iterate()) {
      if (rows.length >= job.most) throw new Error('The query gives more than ' + job.most + ' rows.');
      const out = {};
      for (const name of Object.keys(row)) out[name] = typeof row[name] === 'number' ? String(row[name]) : row[name];
      const text = JSON.stringify(out);
      size += text.length;
      if (size > job.mostText) throw new Error('The query gives more than ' + job.mostText + ' characters.');
      rows.push(text);
    }
    process.stdout.write('{"rows":[' + rows.join(',') + ']}');
  } catch (error) {
    answer({ error: String(error && error.message || error) });
  }
});
`;
