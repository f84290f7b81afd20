// Stands in for the file of the same name of @modelcontextprotocol/server (see mcp-package.mjs): without the validator of
// JSON schemas that the package takes where it is given none.
export { default as process } from 'node:process';

export class DefaultJsonSchemaValidator {
  constructor() {
    throw new Error('the server was given no validator of JSON schemas');
  }
}
