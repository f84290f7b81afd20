// The thread in which code of functions runs: QuickJS in WebAssembly, one fresh world for each run. It is plain
// JavaScript because the sources start it as it is; builds make one file of it (`dist/function-runner.js`).
import { parentPort } from 'node:worker_threads';
import variant from '@jitl/quickjs-singlefile-mjs-release-sync';
import { newQuickJSWASMModuleFromVariant } from 'quickjs-emscripten-core';

const MOST_LOGS = 200;
const LONGEST_LOG = 2000;
const LONGEST_RESULT = 256 * 1024;
const STACK_BYTES = 256 * 1024;
/** The engine's own share of its memory. */
const ENGINE_BYTES = 4 * 1024 * 1024;
const PAGE_BYTES = 64 * 1024;

/*
 * What a function finds: its event, its variables, a console, timers that do not wait, a callback. It is made before the
 * code runs and keeps what it uses, so that code which changes built-in objects harms nothing but itself.
 */
const PRELUDE = `(function (inputs, say, end) {
  'use strict';
  const { parse, stringify } = JSON;
  const { freeze, defineProperty } = Object;
  const text = String;
  const Real = Date;
  const { event, env, now, stubs } = parse(inputs);
  const show = (value) => {
    try {
      if (typeof value === 'string') return value;
      return value instanceof Error ? text(value) : (stringify(value) ?? text(value));
    } catch { return '(not shown)'; }
  };
  let ended = false;
  const finish = (kind, value) => {
    if (ended) return;
    ended = true;
    end(kind, value);
  };
  const callback = (error, result) => {
    if (error !== undefined && error !== null) return finish('error', show(error));
    let shown;
    try { shown = stringify(result === undefined ? null : result) ?? 'null'; }
    catch (cause) { return finish('error', 'The result cannot be written as JSON: ' + show(cause)); }
    finish('result', shown);
  };
  const consoleOf = {};
  for (const level of ['log', 'info', 'warn', 'error', 'debug']) {
    consoleOf[level] = (...values) => {
      let line = '';
      for (let index = 0; index < values.length; index++) line += (index ? ' ' : '') + show(values[index]);
      say(level, line);
    };
  }
  let timers = null;
  let last = 0;
  const setTimeout = (work, delay, ...values) => {
    const timer = { id: ++last, at: (clock + (delay > 0 ? +delay : 0)), work, values, next: null };
    let place = null;
    for (let one = timers; one && one.at <= timer.at; one = one.next) place = one;
    if (place) { timer.next = place.next; place.next = timer; } else { timer.next = timers; timers = timer; }
    return timer.id;
  };
  const clearTimeout = (id) => {
    let before = null;
    for (let one = timers; one; before = one, one = one.next) {
      if (one.id !== id) continue;
      if (before) before.next = one.next; else timers = one.next;
      return;
    }
  };
  const fetch = async (target, options) => {
    const url = text(target?.url ?? target);
    const method = text(options?.method ?? 'GET').toUpperCase();
    const stub = stubs.find((one) => (one.method ?? method).toUpperCase() === method && new RegExp(one.pattern, 's').test(url));
    if (!stub) throw new TypeError('fetch failed: no stub answers ' + method + ' ' + url);
    const status = stub.status ?? 200;
    say('fetch', method + ' ' + url + ' ' + status);
    const body = typeof stub.body === 'string' ? stub.body : stub.body === undefined ? '' : stringify(stub.body);
    return freeze({ url, status, ok: status < 300, text: async () => body, json: async () => parse(body) });
  };
  let clock = now;
  class Dated extends Real {
    constructor(...parts) { if (parts.length === 0) super(clock); else super(...parts); }
    static now() { return clock; }
  }
  const module = { exports: {} };
  const give = (name, value) => defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
  give('process', freeze({ env: freeze({ ...env }) }));
  give('console', freeze(consoleOf));
  give('event', event);
  give('callback', callback);
  give('setTimeout', setTimeout);
  give('clearTimeout', clearTimeout);
  give('Date', Dated);
  if (stubs) give('fetch', fetch);
  give('module', module);
  give('exports', module.exports);
  return {
    start() {
      const handler = typeof module.exports === 'function' ? module.exports : module.exports?.handler;
      if (ended || typeof handler !== 'function') return;
      const promise = handler(event, {}, callback);
      if (typeof promise?.then === 'function') promise.then(undefined, (error) => callback(error ?? 'rejected'));
    },
    turn() {
      const timer = timers;
      if (!timer) return false;
      timers = timer.next;
      clock = timer.at > clock ? timer.at : clock;
      timer.work(...timer.values);
      return true;
    },
  };
})`;

/** The most that the memory of the engine may grow to, bytes. */
let mostMemory = Number.POSITIVE_INFINITY;

/*
 * The engine counts its blocks, and not what is in them: buffers and texts pass its own limit. What holds is that its
 * memory does not grow any further, which the engine takes for the end of it.
 */
async function limitedEngine() {
  const quickjs = await newQuickJSWASMModuleFromVariant(variant);
  const memory = quickjs.getWasmMemory();
  const { grow } = memory;
  memory.grow = (pages) => {
    if (memory.buffer.byteLength + pages * PAGE_BYTES > mostMemory) throw new RangeError('The memory is at its limit.');
    return grow.call(memory, pages);
  };
  return quickjs;
}

const engine = limitedEngine();

/** Runs one function; what it did comes back, whatever it was. */
async function run(job) {
  const quickjs = await engine;
  const done = { outcome: undefined, result: undefined, error: undefined, logs: [], dropped: 0 };
  const deadline = performance.now() + job.timeMs;
  const runtime = quickjs.newRuntime();
  runtime.setMemoryLimit(job.memoryBytes);
  mostMemory = job.memoryBytes + ENGINE_BYTES;
  runtime.setMaxStackSize(STACK_BYTES);
  runtime.setInterruptHandler(() => performance.now() > deadline);
  const context = runtime.newContext();
  const handles = [];
  const keep = (handle) => {
    handles.push(handle);
    return handle;
  };
  live(job, done, { context, runtime, keep, deadline });
  try {
    for (const handle of handles) if (handle.alive) handle.dispose();
    context.dispose();
    runtime.dispose();
  } catch {
    // The run is over and told; only this engine is not used again.
    done.broken = true;
  }
  return done;
}

function live(job, done, { context, runtime, keep, deadline }) {
  // A handle, or undefined if the guest threw: the fault is then reported.
  const use = (answer) => {
    if (!answer.error) return answer.value && keep(answer.value);
    if (done.outcome === undefined) Object.assign(done, faultOf(readFault(context, keep(answer.error)), job));
    return undefined;
  };
  const settle = () => {
    while (done.outcome === undefined && runtime.hasPendingJob()) use(runtime.executePendingJobs(1));
  };
  const world = openWorld(job, done, { context, keep, use });
  const call = (name) => {
    const answer = use(context.callFunction(keep(context.getProp(world, name)), context.undefined));
    return answer !== undefined && context.dump(answer) === true;
  };
  use(context.evalCode(job.code, 'function.js'));
  settle();
  if (done.outcome === undefined) call('start');
  do settle();
  while (done.outcome === undefined && call('turn'));
  if (done.outcome !== undefined) return;
  // A promise takes the interruption for its own failure, and nothing is left to run.
  const fault = performance.now() > deadline ? { name: 'InternalError', message: 'interrupted' } : undefined;
  const unended = { outcome: 'error', error: 'The function ended without calling its callback.' };
  Object.assign(done, fault ? faultOf(fault, job) : unended);
}

/** A stub with its address as a pattern: `*` stands for any text. */
function patterned(stub) {
  const parts = stub.url.split('*').map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return { ...stub, pattern: `^${parts.join('.*')}$` };
}

/** What the code finds when it begins, and how its words come back. */
function openWorld(job, done, { context, keep, use }) {
  const inputs = keep(
    context.newString(
      JSON.stringify({ event: job.event, env: job.env, now: job.now, stubs: job.stubs?.map(patterned) }),
    ),
  );
  const say = keep(
    context.newFunction('say', (level, line) => {
      if (done.logs.length >= MOST_LOGS) done.dropped++;
      else done.logs.push({ level: context.getString(level), message: context.getString(line).slice(0, LONGEST_LOG) });
    }),
  );
  const end = keep(
    context.newFunction('end', (kind, value) => {
      const text = context.getString(value);
      if (context.getString(kind) === 'error')
        Object.assign(done, { outcome: 'error', error: text.slice(0, LONGEST_LOG) });
      else if (text.length > LONGEST_RESULT)
        Object.assign(done, { outcome: 'error', error: `The result is longer than ${LONGEST_RESULT} characters.` });
      else Object.assign(done, { outcome: 'success', result: text });
    }),
  );
  const prelude = use(context.evalCode(PRELUDE, 'sandbox.js'));
  return use(context.callFunction(prelude, context.undefined, inputs, say, end));
}

function readFault(context, error) {
  const { name, message, stack } = context.dump(error) ?? {};
  if (message === undefined) return { name: 'Error', message: String(context.dump(error)) };
  const line = /function\.js:(\d+)/.exec(stack ?? '')?.[1];
  return { name, message, line };
}

function faultOf({ name, message, line }, job) {
  if (name === 'InternalError' && message === 'interrupted')
    return { outcome: 'timeout', error: `The function ran longer than ${job.timeMs} ms.` };
  if (name === 'InternalError' && message === 'out of memory')
    return { outcome: 'memory', error: `The function needed more than ${job.memoryBytes} bytes.` };
  return { outcome: 'error', error: `${name}: ${message}${line ? ` (line ${line})` : ''}`.slice(0, LONGEST_LOG) };
}

// The time of a run counts from here on, whatever the loading took.
engine.then(() => parentPort.postMessage('ready'));
parentPort.on('message', async (job) => {
  try {
    parentPort.postMessage(await run(job));
  } catch (error) {
    // The engine itself gave up (its stack, or an assertion): this thread is not used again.
    const text = /call stack/.test(String(error))
      ? 'RangeError: the stack is too deep.'
      : `The engine failed: ${error}`;
    parentPort.postMessage({ outcome: 'error', error: text.slice(0, LONGEST_LOG), logs: [], dropped: 0, broken: true });
  }
});
