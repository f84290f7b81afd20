/** The parts of the protocol's package that the server uses, by name, so that the build drops the rest. */
export { acceptedContent, inputRequired, ResourceNotFoundError, Server } from '@modelcontextprotocol/server';
export { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
