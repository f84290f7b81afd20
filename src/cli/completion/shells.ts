/** Shells with a completion script, and the file name each one expects. */
export const SCRIPT_FILES = { bash: 'cops.bash', zsh: '_cops', fish: 'cops.fish', powershell: 'cops.ps1' } as const;
export type Shell = keyof typeof SCRIPT_FILES;
export const SHELLS = Object.keys(SCRIPT_FILES) as readonly Shell[];
