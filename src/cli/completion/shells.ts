/** The shells that have a completion script, and the name under which each expects it. */
export const SCRIPT_FILES = { bash: 'cops.bash', zsh: '_cops', fish: 'cops.fish', powershell: 'cops.ps1' } as const;
export type Shell = keyof typeof SCRIPT_FILES;
export const SHELLS = Object.keys(SCRIPT_FILES) as readonly Shell[];
