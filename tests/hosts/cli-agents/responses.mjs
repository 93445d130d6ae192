// OpenAI's Responses, as far as Codex needs it.

import { events, json } from './model.mjs';

/** @type {import('./model.mjs').Wire} */
export const responses = {
  isStep: (url) => url.endsWith('/responses'),
  isOfSubagent({ client_metadata: metadata = {} }) {
    return JSON.parse(metadata['x-codex-turn-metadata'] ?? '{}').thread_source === 'subagent';
  },
  answer(parts, number) {
    const id = `resp_${number}`;
    const items = parts.map((part, index) => item(part, `${number}_${index}`));
    return events([
      ['response.created', { response: { id } }],
      ...items.map((item, output_index) => ['response.output_item.done', { output_index, item }]),
      ['response.completed', { response: { id, usage } }],
    ]);
  },
  aside: () => json({ data: [], models: [] }),
};

/** A compaction is made where this is above its limit. */
const usage = {
  input_tokens: 5000,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 40,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 5040,
};

function item(part, id) {
  if ('text' in part) {
    const content = [{ type: 'output_text', text: part.text }];
    return { type: 'message', id: `msg_${id}`, role: 'assistant', content };
  }
  const { tool: name, input, namespace } = part;
  const call_id = `call_${id}`;
  if (typeof input === 'string') return { type: 'custom_tool_call', id: `ctc_${id}`, call_id, name, input };
  return { type: 'function_call', id: `fc_${id}`, call_id, name, namespace, arguments: JSON.stringify(input) };
}
