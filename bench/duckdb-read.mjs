// The other way to a table: DuckDB reads the JSON lines of an export into one of its own.
import { DuckDBInstance } from '@duckdb/node-api';

const [lines, table] = process.argv.slice(2);
const connection = await (await DuckDBInstance.create(table)).connect();
await connection.run(`CREATE TABLE items AS SELECT * FROM read_json_auto('${lines}')`);
const [[rows]] = await (await connection.runAndReadAll('SELECT count(*) FROM items')).getRows();
process.stdout.write(String(rows));
