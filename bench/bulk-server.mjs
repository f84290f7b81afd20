// Answers every write at once with a success, every read with a test item, every list with three.
import { createServer } from 'node:http';

const head = '"api_call_id":"aaaaaaaaaaaaaaaaaaaa","api_call_unix":1,"code":1';
const results = [1, 2, 3].map((at) => ({ id: `item${String(at).padStart(16, '0')}`, live_mode: false }));
const list = JSON.stringify({ results, current_page: 1, current_count: 3, total_count: 3, total_pages: 1 }).slice(1);
const isList = /\?|\/[a-z-]+$/;

createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.setHeader('content-type', 'application/json');
    if (request.method !== 'GET') response.end(`{${head},"result":"success"}`);
    else if (isList.test(request.url)) response.end(`{${head},${list}`);
    else response.end(`{${head},"id":"${request.url.split('/').at(-1)}","live_mode":false}`);
  });
}).listen(0, '127.0.0.1', function () {
  process.stdout.write(`${this.address().port}\n`);
});
