/** What is ours about events, functions, assistants and mail; listed with the other readings (`../readings.ts`). */
export const AUTOMATION_READINGS = [
  {
    id: 'assistant-answers',
    about: 'AI assistant',
    says: 'prompts are answered by the script of cops sandbox answers, the first line that fits; without one a step is answered Done. and a branch picks none (output 4)',
  },
  {
    id: 'event-chain',
    about: 'events',
    says: 'an event raises those above it too, the general one first: sale.created, sale.created.success, sale.created.success.paid',
  },
  {
    id: 'event-changes',
    about: 'events',
    says: 'copies that items keep of others, notes and metadata raise no event of the item that holds them',
  },
  {
    id: 'event-filters',
    about: 'events',
    says: 'a filter that names something is not passed by an item that has nothing for it',
  },
  {
    id: 'filter-verdict',
    about: 'AI assistant',
    says: 'a filter function that is gone, disabled, fails or answers anything but pass vetoes the run',
  },
  {
    id: 'function-event',
    about: 'function',
    says: 'finds event {event_source, notation, item_type, item_id, item, live_mode, created_date_unix, custom_arguments}, process with its variables alone, console, timers that do not wait, and callback(error, result); exports.handler(event, context, callback) is called when there is one',
  },
  {
    id: 'function-limits',
    about: 'function',
    says: '5 seconds and 64 MiB a run, no network, no modules; 200 lines of log and 256 KiB of result are kept',
  },
  {
    id: 'function-runs',
    about: 'function',
    says: 'a run is kept with status, result, error and logs, and shown by cops sandbox runs',
  },
  {
    id: 'function-sources',
    about: 'function',
    says: 'api_direct, account_event, schedule and email_template run it; nothing serves the address of a function_url, and a payment flow passes over functions of payment_profile: neither is ever run',
  },
  {
    id: 'mail-data',
    about: 'e-mail',
    says: 'shortcodes see the item under its type and as item, customer, event, custom_data (its json, or the object that its function answers) and the custom arguments by name',
  },
  {
    id: 'mail-recipients',
    about: 'e-mail',
    says: 'an address shortcode that has no value drops out; without any recipient a mail is refused',
  },
  {
    id: 'mail-triggers',
    about: 'e-mail',
    says: 'the trigger of a template is an event or api_direct; timing and filters are as for functions and assistants; an event mail that cannot be filled is kept with status error, unsent',
  },
  {
    id: 'no-echo',
    about: 'AI assistant',
    says: 'what an assistant does starts neither itself nor one whose doing started it',
  },
  {
    id: 'part-collected',
    about: 'sale',
    says: 'a sale that is collected in part is paid, shows what remains, and leaves a salvage transaction for it, which its void disables',
  },
  {
    id: 'pending-paid',
    about: 'events',
    says: 'a pending sale that is paid raises sale.created.success.paid alone: what is above it was raised when it was made',
  },
  {
    id: 'sentinel-alerts',
    about: 'events',
    says: 'a fraud decision raises sentinel.alert.fraud_detected; a payment of a customer that is blocked already, firewall_block',
  },
  {
    id: 'shortcodes',
    about: 'e-mail',
    says: 'names and paths between two braces, escaped in HTML, or three; a shortcode without a value is refused, blocks and helpers too',
  },
  {
    id: 'site-events',
    about: 'site events',
    says: 'an account event is an item of type account_event with notation, item_type, item_id and customer_id',
  },
  {
    id: 'thread-steps',
    about: 'AI thread',
    says: 'each prompt takes 30 seconds; an action that is refused ends the thread with Error',
  },
  {
    id: 'token-limits',
    about: 'AI thread',
    says: 'four characters are a token; a thread above thread_max_tokens ends with Error, an assistant at token_max_per_day starts no more on that day in UTC',
  },
] as const;
