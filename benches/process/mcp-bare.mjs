// The SDK's server with one tool, as its documentation has it.

import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

serveStdio(() => {
  const server = new McpServer({ name: 'bare', version: '1.0.0' });
  server.registerTool(
    'greet',
    {
      title: 'Greet',
      description: 'Greets a person.',
      inputSchema: z.object({ name: z.string() }),
      outputSchema: z.object({ text: z.string() }),
    },
    async ({ name }) => {
      const text = `Hello, ${name}`;
      return { content: [{ type: 'text', text }], structuredContent: { text } };
    },
  );
  return server;
});
