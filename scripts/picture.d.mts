/** Draws terminal lines with their colours as SVG, for light and dark pages. */
export function drawScreen(title: string, text: string): string;
