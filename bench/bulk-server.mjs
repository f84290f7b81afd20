// Answers every write at once with a success, every read with a test item.
import { createServer } from 'node:http';

const head = '"api_call_id":"aaaaaaaaaaaaaaaaaaaa","api_call_unix":1,"code":1';
createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.setHeader('content-type', 'application/json');
    response.end(request.method === 'GET' ? `{${head},"live_mode":false}` : `{${head},"result":"success"}`);
  });
}).listen(0, '127.0.0.1', function () {
  process.stdout.write(`${this.address().port}\n`);
});
