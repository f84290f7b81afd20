/** What is ours about events, functions, assistants and mail; listed with the other readings (`../readings.ts`). */
export const AUTOMATION_READINGS = [
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
    id: 'site-events',
    about: 'site events',
    says: 'an account event is an item of type account_event with notation, item_type, item_id and customer_id',
  },
] as const;
