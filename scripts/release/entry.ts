// The entry of the executable: the program, or one of the scripts that the program starts in a separate process.
import { createRequire } from 'node:module';
import { start } from '../../src/main.js';

const [option, script = ''] = process.argv.slice(2);
if (option === '-e') void runScript();
else start(process);

async function runScript(): Promise<void> {
  const { QUERY_SCRIPT } = await import('../../src/data/mirror/query-script.js');
  const { BIGQUERY_SCRIPT } = await import('../../src/sandbox/rules/bigquery-script.js');
  if ([QUERY_SCRIPT, BIGQUERY_SCRIPT].includes(script)) {
    new Function('require', script)(createRequire(process.execPath));
  } else start(process);
}
