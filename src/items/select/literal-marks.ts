/**
 * Says that a character that looks like a wildcard or an anchor is an ordinary one in conditions; undefined if there is
 * none. Shown if nothing matches.
 */
export function literalMark(conditions: readonly string[] = []): string | undefined {
  for (const text of conditions) {
    const [, path, operator, value = ''] = /^\s*([\w.[\]]+)\s*(=|~)\s*(.+?)\s*$/.exec(text) ?? [];
    const mark = operator === '=' ? /^[*%]|[*%]$/.exec(value) : /^\^|^\.?\*|\.?\*$|\$$/.exec(value);
    if (!mark) continue;
    const plain = value.replace(/^[\^*%.]+|[$*%.]+$/g, '');
    return `In ${text} the ${mark[0]} is an ordinary character. ${path}~${plain} is a part of the text, anywhere in it.`;
  }
  return undefined;
}
