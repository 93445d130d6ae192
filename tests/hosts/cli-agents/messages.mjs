// Anthropic's Messages, as far as Claude Code needs it.

import { events, json } from './model.mjs';

/** @type {import('./model.mjs').Wire} */
export const messages = {
  isStep: (url, { stream, tools = [] }) => url.startsWith('/v1/messages') && stream && tools.length > 0,
  answer(parts, number, { model }) {
    const blocks = parts.map((part, index) => block(part, `${number}_${index}`));
    const stop_reason = parts.some((part) => 'tool' in part) ? 'tool_use' : 'end_turn';
    return events([
      ['message_start', { message: { ...head(number, model), content: [], stop_reason: null } }],
      ...blocks.flatMap(sent),
      ['message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 40 } }],
      ['message_stop', {}],
    ]);
  },
  aside(url, { model }) {
    if (url.includes('/count_tokens')) return json({ input_tokens: 100 });
    return json({ ...head(0, model), content: [{ type: 'text', text: 'A title.' }], stop_reason: 'end_turn' });
  },
};

function head(number, model) {
  const usage = { input_tokens: 5000, output_tokens: 1 };
  return { id: `msg_${number}`, type: 'message', role: 'assistant', model, stop_sequence: null, usage };
}

/** A block as it begins, and what it is filled with. */
function block(part, id) {
  if ('text' in part) {
    return { begins: { type: 'text', text: '' }, delta: { type: 'text_delta', text: part.text } };
  }
  const { tool: name, input } = part;
  const delta = { type: 'input_json_delta', partial_json: JSON.stringify(input) };
  return { begins: { type: 'tool_use', id: `toolu_${id}`, name, input: {} }, delta };
}

function sent({ begins, delta }, index) {
  return [
    ['content_block_start', { index, content_block: begins }],
    ['content_block_delta', { index, delta }],
    ['content_block_stop', { index }],
  ];
}
