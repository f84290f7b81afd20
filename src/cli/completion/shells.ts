/** The shells that have a completion script. */
export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof SHELLS)[number];

/** The place of each script in the package, under the name its shell expects. */
export const SCRIPT_FILES: Readonly<Record<Shell, string>> = {
  bash: 'cops.bash',
  zsh: '_cops',
  fish: 'cops.fish',
  powershell: 'cops.ps1',
};
