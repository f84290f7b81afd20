/*
 * The facts of a business, computed by DuckDB from the JSON of the items alone: what was paid, given back, disputed, taken
 * as fees and tax, and taken off, with what each is told by. Written from the definitions, not from the views of a mirror.
 */

const MINOR =
  "CREATE MACRO minor(x, c) AS CAST(round(CAST(x AS DECIMAL(24, 6)) * CASE c WHEN 'JPY' THEN 1 WHEN 'KWD' THEN 1000 ELSE 100 END) AS BIGINT)";

const shared = `
  j ->> '$.id' AS id, j ->> '$.iso_currency' AS currency, CAST(j ->> '$.created_date_unix' AS BIGINT) AS moment,
  j ->> '$.campaign_name' AS campaign, j ->> '$.customer.country' AS country, j ->> '$.customer.id' AS customer,
  j ->> '$.payment_type.name' AS payment_type,
  coalesce(nullif(j ->> '$.ship_to.state', ''), nullif(j ->> '$.customer.state', ''), 'unknown') AS state`;
const amount = (name: string): string => `minor(j ->> '$.${name}', j ->> '$.iso_currency')`;
const PLAIN = 'currency, moment, campaign, country, customer, payment_type, state';

const of = (alias: string): string =>
  PLAIN.split(', ')
    .map((name) => `${alias}.${name}`)
    .join(', ');

/** Statements that lay the tables \`plain\`, \`by_product\` and \`by_card\` over tables of items, each with one column \`j\`. */
export const FACTS: readonly string[] = [
  MINOR,
  `CREATE TABLE tx AS SELECT ${shared}, j ->> '$.result' AS result, ${amount('amount')} AS amount, ${amount('amount_fees')} AS fees,
    j ->> '$.gateway_name' AS gateway, coalesce(nullif(j ->> '$.customer_card.type', ''), 'unknown') AS brand FROM transactions`,
  ...['sales', 'subscription_renewals'].map(
    (
      family,
    ) => `CREATE TABLE pay_${family} AS SELECT ${shared}, '${family === 'sales' ? 'sale' : 'renewal'}' AS kind, ${amount('amount_captured')} AS paid,
    ${amount('amount_fees')} AS fees, j ->> '$.product.name' AS product, CAST(j -> '$.transactions' AS VARCHAR[]) AS cards,
    json_array_length(j -> '$.wallet_transactions') > 0 AS is_wallet FROM ${family}`,
  ),
  'CREATE TABLE pay AS SELECT * FROM pay_sales UNION ALL SELECT * FROM pay_subscription_renewals',
  `CREATE TABLE line AS SELECT j -> '$.sales' ->> 0 AS sale, ${amount('amount_captured')} AS paid, j ->> '$.product.name' AS product, j ->> '$.id' AS id FROM product_sales`,
  `CREATE TABLE tax_line AS SELECT ${shared}, ${amount('amount_captured')} AS tax FROM tax`,
  // Tax and shipping, and the renewal that each is part of: its product is theirs.
  `CREATE TABLE extra AS ${['tax', 'shipping'].map((family) => `SELECT ${shared}, '${family}' AS what, ${amount('amount_captured')} AS value, j -> '$.subscription_renewals' ->> 0 AS renewal FROM ${family}`).join(' UNION ALL ')}`,
  `CREATE TABLE refund AS SELECT ${shared}, j ->> '$.type' AS type, ${amount('amount')} AS amount, j ->> '$.source_id' AS source, j ->> '$.transaction_id' AS card FROM pending_refunds`,
  `CREATE TABLE dispute AS SELECT ${shared}, ${amount('amount')} AS amount, j ->> '$.transaction_id' AS card FROM chargebacks`,
  `CREATE TABLE discount AS SELECT ${shared}, ${amount('amount')} AS amount, j -> '$.product_sales' ->> 0 AS line FROM discounts`,
  // Each figure by the dimensions that every fact has.
  `CREATE TABLE plain AS
    SELECT 'gross' AS figure, ${PLAIN}, paid AS value FROM pay
    UNION ALL SELECT 'fees', ${PLAIN}, fees FROM pay
    UNION ALL SELECT 'refunds', ${PLAIN}, amount FROM refund
    UNION ALL SELECT 'chargebacks', ${PLAIN}, amount FROM dispute
    UNION ALL SELECT 'collected', ${PLAIN}, tax FROM tax_line
    UNION ALL SELECT 'refunded', ${PLAIN}, amount FROM refund WHERE type = 'tax'
    UNION ALL SELECT what, ${PLAIN}, value FROM extra
    UNION ALL SELECT type, ${PLAIN}, -amount FROM refund WHERE type IN ('tax', 'shipping')
    UNION ALL SELECT 'discounts', ${PLAIN}, amount FROM discount
    UNION ALL SELECT 'attempted', ${PLAIN}, amount FROM tx
    UNION ALL SELECT 'failed', ${PLAIN}, amount FROM tx WHERE result <> 'approved'`,
  `CREATE TABLE by_product AS
    SELECT 'gross' AS figure, ${of('p')}, l.product AS product, l.paid AS value FROM line AS l JOIN pay AS p ON p.id = l.sale
    UNION ALL SELECT 'gross', ${of('p')}, NULL, p.paid - l.paid FROM pay AS p JOIN (SELECT sale, sum(paid) AS paid FROM line GROUP BY sale) AS l ON l.sale = p.id
    UNION ALL SELECT 'gross', ${PLAIN}, product, paid FROM pay WHERE kind = 'renewal'
    UNION ALL SELECT 'refunds', ${of('r')}, coalesce(l.product, p.product), r.amount FROM refund AS r LEFT JOIN line AS l ON l.id = r.source LEFT JOIN extra AS x ON x.id = r.source LEFT JOIN pay AS p ON p.id = coalesce(x.renewal, r.source)
    UNION ALL SELECT x.what, ${of('x')}, p.product, x.value FROM extra AS x LEFT JOIN pay AS p ON p.id = x.renewal
    UNION ALL SELECT r.type, ${of('r')}, p.product, -r.amount FROM refund AS r JOIN extra AS x ON x.id = r.source LEFT JOIN pay AS p ON p.id = x.renewal
    UNION ALL SELECT 'discounts', ${of('d')}, l.product, d.amount FROM discount AS d LEFT JOIN line AS l ON l.id = d.line`,
  // What each payment took by each of its approved transactions; what is left was paid otherwise, or by one that was not read.
  `CREATE TABLE carded AS SELECT p.id AS pay, t.gateway, t.brand, t.amount, t.fees FROM (SELECT id, unnest(cards) AS card FROM pay) AS p JOIN tx AS t ON t.id = p.card AND t.result = 'approved'`,
  `CREATE TABLE uncarded AS SELECT p.*, p.paid - coalesce(c.amount, 0) AS rest, p.fees - coalesce(c.fees, 0) AS rest_fees,
    CASE WHEN p.is_wallet THEN 'not a card' ELSE 'unknown' END AS way
    FROM pay AS p LEFT JOIN (SELECT pay, sum(amount) AS amount, sum(fees) AS fees FROM carded GROUP BY pay) AS c ON c.pay = p.id`,
  `CREATE TABLE by_card AS
    SELECT 'gross' AS figure, ${of('p')}, c.gateway AS gateway, c.brand AS brand, c.amount AS value FROM carded AS c JOIN pay AS p ON p.id = c.pay
    UNION ALL SELECT 'gross', ${PLAIN}, way, way, rest FROM uncarded
    UNION ALL SELECT 'fees', ${of('p')}, c.gateway, c.brand, c.fees FROM carded AS c JOIN pay AS p ON p.id = c.pay
    UNION ALL SELECT 'fees', ${PLAIN}, way, way, rest_fees FROM uncarded
    UNION ALL SELECT 'refunds', ${of('r')}, coalesce(t.gateway, 'not a card'), coalesce(t.brand, 'not a card'), r.amount FROM refund AS r LEFT JOIN tx AS t ON t.id = r.card
    UNION ALL SELECT 'chargebacks', ${of('d')}, t.gateway, t.brand, d.amount FROM dispute AS d JOIN tx AS t ON t.id = d.card
    UNION ALL SELECT 'attempted', ${PLAIN}, gateway, brand, amount FROM tx
    UNION ALL SELECT 'failed', ${PLAIN}, gateway, brand, amount FROM tx WHERE result <> 'approved'`,
];
