// Where the executable begins: the program, or one of the scripts that it starts in a process of their own.
import { createRequire } from 'node:module';
import { start } from '../../src/main.js';
import { QUERY_SCRIPT } from '../../src/mirror/query-script.js';
import { BIGQUERY_SCRIPT } from '../../src/sandbox/rules/bigquery-script.js';

const [option, script = ''] = process.argv.slice(2);
if (option === '-e' && [QUERY_SCRIPT, BIGQUERY_SCRIPT].includes(script)) {
  new Function('require', script)(createRequire(process.execPath));
} else {
  start(process);
}
