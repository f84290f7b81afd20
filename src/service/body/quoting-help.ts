/** Appended to every JSON fault on the command line. */
export const QUOTING_HINT =
  'Shells change quotes (cmd.exe wants "{\\"name\\":\\"x\\"}"); -d path=value, --body @file and --body - avoid that.';

/** How to write JSON in each shell; help shows it next to the body options. */
export const QUOTING_HELP = String.raw`bash, zsh, fish:
  --body '{"name":"Monthly"}'
  -d 'rates[0].rate=5'    (quoted: the brackets are patterns to zsh)
Windows cmd.exe:
  --body "{\"name\":\"Monthly\"}"
  -d rates[0].rate=5
  single quotes mean nothing here; % in a value is written %%
PowerShell 7.3 and later:
  --body '{"name":"Monthly"}'
  -d 'rates[0].rate=5'
  --body '@body.json'    (quoted: @ begins an array)
Windows PowerShell 5:
  --body '{\"name\":\"Monthly\"}'
  '{"name":"Monthly"}' | cops ... --body -    (needs no escaping)
any shell:
  --body @body.json
  -d name=Monthly -d enabled=true`;
