/** Texts, quoted names, comments, and single characters between them. */
const PARTS = /'(?:[^'\\]|\\[^'"`]|'')*'|"(?:[^"\\]|\\[^'"`]|"")*"|`[^`]*`|--[^\n]*|\/\*[\s\S]*?\*\/|[\s\S]/g;

/** Where dialects differ on what is text and what is not: what follows is anyone's guess. */
const DOUBTFUL = /'''|"""|\/\*!/;

/** Words that make a statement of a `WITH` or `SELECT` more than a query. */
const WRITES =
  /\b(insert|update|delete|merge|truncate|drop|create|alter|replace\s+into|into|call|export|external_query|grant|revoke|execute)\b/i;

/**
 * True only for text that is provably one query: `SELECT …` or `WITH … SELECT …`, comments and texts taken out first.
 * Whatever else it is, or cannot be told, counts as a write.
 */
export function isPlainQuery(sql: string): boolean {
  if (DOUBTFUL.test(sql)) return false;
  let words = '';
  for (const [part] of sql.matchAll(PARTS)) {
    if (part.length > 1) {
      if (part.startsWith('/*') && part.indexOf('/*', 2) >= 0) return false;
      words += part.startsWith('`') ? ' name ' : ' ';
    } else if (/['"`#]/.test(part)) return false;
    else words += part;
  }
  if (words.includes('/*')) return false;
  const statement = words.trim().replace(/;\s*$/, '').trim();
  if (statement.includes(';') || !/^[(\s]*(select|with)\b/i.test(statement)) return false;
  return /\bselect\b/i.test(statement) && !WRITES.test(statement);
}
