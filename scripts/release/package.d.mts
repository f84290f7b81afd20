export function packPackage(places: {
  readonly root: string;
  readonly man: string;
  readonly notices: string;
  readonly work: string;
  readonly output: string;
}): string;
