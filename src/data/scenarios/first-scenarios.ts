export async function layScenarios(_folder: string): Promise<string[]> {
  return [];
}
