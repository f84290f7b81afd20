// Replaces the file of the same name in @modelcontextprotocol/server (see mcp-package.mjs): without the validator of
// JSON schemas that the package uses by default.
export { default as process } from 'node:process';

export class DefaultJsonSchemaValidator {
  constructor() {
    throw new Error('the server has no validator of JSON schemas');
  }
}
