export function checkExecutable(platform: string, file: string): void;
export function headerOf(file: string): { readonly format: string; readonly processor: number };
export function signatureSlot(file: string): 'none' | 'stale' | 'emptied';
