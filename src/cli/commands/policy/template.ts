/** What `policy edit` begins with. */
export const TEMPLATE = `# What may be written from this machine. Every rule that speaks of a write must let it pass.
# Money and days are counted from the history of this machine; writes whose outcome is unknown count as done.
# This is a rail, not a wall: whoever may change this file may change the rules.

# The zone whose days and hours count.
zone: UTC
rules:
  # - name: agents
  #   who: [agent]                      # person, agent; all where it is left out
  #   profiles: [shop]                  # all where it is left out
  #   modes: [live]                     # test, live
  #   operations: [transactions refund] # families or operations that the rule speaks of
  #   only: [customers]                 # nothing but these may be written
  #   never: [subscriptions cancel]     # these may not
  #   most: {USD: 100, EUR: 90}         # for one write; no other currency may move
  #   most_a_day: {USD: 500, EUR: 450}
  #   writes_an_hour: 20
  #   hours: "08:00-18:00"
  #   reason: true                      # --reason is wanted
  #   alone: [transactions refund]      # an agent may commit these with nobody there to be asked
  []
`;
