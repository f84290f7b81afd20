/** What of the protocol's package the server uses; by name, so that the build leaves out the rest of it. */
export { acceptedContent, inputRequired, ResourceNotFoundError, Server } from '@modelcontextprotocol/server';
export { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
