export function packPackage(places: {
  readonly root: string;
  readonly man: string;
  readonly work: string;
  readonly output: string;
}): string;
