/** The parts of a page: all HTML already, except the title. */
export interface HtmlParts {
  readonly title: string;
  readonly style: string;
  /** Follows the title. */
  readonly head: string;
  readonly body: string;
  readonly footer: string;
}

/** A page that needs no network and runs no script. */
export function htmlPage({ title, style, head, body, footer }: HtmlParts): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${safe(title)}</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>${safe(title)}</h1>
${head}
</header>
${body}
<footer>${footer}</footer>
</body>
</html>
`;
}

const MARKS: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML. */
export function safe(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => MARKS[mark] ?? mark);
}
