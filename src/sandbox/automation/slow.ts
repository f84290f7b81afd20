/** Tasks that wait for a function or for a rule to load: each runs alone, in its own transaction. */
export const SLOW_TASKS: ReadonlySet<string> = new Set(['run_function', 'start_thread', 'step_thread', 'send_mail']);
