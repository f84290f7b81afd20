/** Tasks that wait for a function or a rule to be loaded: they are done one by one, each in a transaction of its own. */
export const SLOW_TASKS: ReadonlySet<string> = new Set(['run_function', 'start_thread', 'step_thread', 'send_mail']);
