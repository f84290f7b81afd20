import { openHost } from '../automation/automation-host.js';
import { raising } from '../automation/emit-events.js';
import type { Host } from '../automation/host.js';
import { Passing } from '../automation/passing.js';
import { checkWritable } from '../rules/accepted-fields.js';
import type { Call, OperationAnswer, OperationRule } from '../rules/call.js';
import { ruleName, success } from '../rules/call.js';
import { answerCreate, answerDelete, answerEdit, answerGet, change, done } from '../rules/generic.js';
import { ASYNC_RULES, RULES } from '../rules/index.js';
import { checkReferences, knownFields } from '../rules/item-references.js';
import { invalid, Refusal, resetting } from '../rules/refusals.js';
import type { GroupCommit } from '../store/group.js';
import { takeKey } from '../store/idempotency.js';
import { toText } from '../store/item-values.js';
import type { OpenedSandbox } from '../store/open-store.js';
import type { PrebuiltJson } from '../store/prebuilt-json.js';
import { checkQueryFields } from '../store/query-fields.js';
import { answerSearch } from '../store/word-search.js';

interface Parts extends Pick<OpenedSandbox, 'store' | 'moment' | 'functionThread'> {
  readonly isServed?: boolean;
  readonly commits: GroupCommit;
  readonly checkReady: () => void;
  readonly list: OperationRule;
}

/** Answers writes, and all reads but plain lists, by the rules, once everything due before has happened. */
export class RuleBook {
  readonly #host: Host;
  readonly #passing: Passing;

  constructor(private readonly parts: Parts) {
    this.#host = openHost(parts.functionThread);
    this.#passing = new Passing(parts.store, this.#host, parts.isServed === true);
  }

  async close(): Promise<void> {
    this.#passing.stop();
    await this.#host.engine.close();
  }

  /** Lets everything due by `now` happen (unix seconds); returns the moment reached. */
  until(now: number): Promise<number> {
    return this.#passing.until(now);
  }

  answer(call: Call): OperationAnswer {
    return this.#ruleFor(call)(call) ?? done(call, call.ids.at(-1) as string);
  }

  async change(
    at: (now: number) => Call,
    record: (status: number, text: string) => void,
  ): Promise<string | PrebuiltJson> {
    const { unix, isDue, isReady } = this.parts.moment();
    if (!isReady) throw resetting();
    const call = at(isDue ? await this.until(unix) : unix);
    // Only writes wait for the validator and its library.
    const { refuseBadBody } = await import('../rules/refuse-body.js');
    const slow = ASYNC_RULES[ruleName(call.operation)];
    if (slow) {
      await this.parts.commits.run(() => {
        this.parts.checkReady();
        takeKey(call);
      });
      refuseBadBody(call.body, call.operation);
      return success(call, await slow(call));
    }
    const work = () => {
      refuseBadBody(call.body, call.operation);
      if (/(?:create|edit)$/.test(call.operation.action)) checkWritable(call.operation, call.body);
      checkQueryFields(call.operation, call.query);
      checkReferences(call, call.body, knownFields(call));
      return success(
        call,
        raising(call, () => this.answer(call)),
      ) as string;
    };
    return this.parts.commits.run(() => {
      this.parts.checkReady();
      const answer =
        attempt(() => takeKey(call)) ??
        attempt(() => this.parts.store.step(work, (error) => error instanceof Refusal && error.keep));
      if (!(answer instanceof Refusal)) {
        record(200, answer);
        return answer;
      }
      record(answer.status, toText({ api_call_id: call.callId, api_call_unix: call.now, ...answer.fields }));
      throw answer;
    });
  }

  #ruleFor(call: Call): OperationRule {
    const { operation } = call;
    const rule = RULES[ruleName(operation)];
    if (rule) return rule;
    const word = operation.action.split(' ').at(-1);
    if (operation.method === 'GET') {
      if (operation.list?.style === 'search' || word === 'search') return answerSearch;
      if (operation.list) return this.parts.list;
      return answerGet;
    }
    if (word === 'create') return answerCreate;
    if (word === 'edit') return answerEdit;
    if (word === 'delete') return answerDelete;
    if (word === 'enable' || word === 'disable') return (one) => change(one, { enabled: word === 'enable' });
    throw invalid(`The sandbox does not know ${operation.method} ${operation.path}.`);
  }
}

/** Runs a step; returns a refusal, rethrows any other error. */
function attempt<T>(step: () => T): T | Refusal {
  try {
    return step();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
