export function noticesOf(
  root: string,
  inputs: readonly string[],
  others?: readonly (readonly [title: string, text: string])[],
): string;
export function folderOf(file: string): string | undefined;
