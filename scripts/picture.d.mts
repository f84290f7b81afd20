/** A terminal as a picture: its lines with their colours, drawn as SVG for light and dark pages. */
export function drawScreen(title: string, text: string): string;
