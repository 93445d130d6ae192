// OpenAI's chat completions, as far as Copilot CLI, OpenCode and Qwen Code need them.

import { json } from './model.mjs';

/** The summary or title that the model makes of a conversation. */
export const SUMMARY = 'Summary of before.';

/**
 * @param {string} tool one that an agent offers with each step of its work, and not with what it asks beside that
 * @returns {import('./model.mjs').Wire}
 */
export const completions = (tool) => ({
  isStep: (url, { tools = [] }) => isCompletion(url) && tools.some((offered) => offered.function?.name === tool),
  answer: (parts, number, asked) => completion(parts, number, asked),
  aside(url, asked) {
    if (!isCompletion(url)) return json({ object: 'list', data: [] });
    return completion([{ text: `<state_snapshot>${SUMMARY}</state_snapshot>` }], 0, asked);
  },
});

const isCompletion = (url) => url.endsWith('/chat/completions');

/** The tokens of a conversation: fewer once it is summed up. A compaction is made where they are above its limit. */
function usageOf({ messages = [] }) {
  const prompt_tokens = JSON.stringify(messages).includes(SUMMARY) ? 500 : 5000;
  return { prompt_tokens, completion_tokens: 40, total_tokens: prompt_tokens + 40 };
}

/**
 * The answer in one piece, or as a stream, as it is asked for.
 *
 * @param {import('./model.mjs').Part[]} parts
 * @param {number} number
 * @param {{model?: string, stream?: boolean, messages?: object[]}} asked
 * @returns {import('./model.mjs').Reply}
 */
function completion(parts, number, asked) {
  const { model, stream } = asked;
  const usage = usageOf(asked);
  const text = parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n');
  const calls = parts.flatMap((part, index) => ('tool' in part ? [call(part, `${number}_${index}`)] : []));
  const finish_reason = calls.length > 0 ? 'tool_calls' : 'stop';
  const head = { id: `chatcmpl-${number}`, created: 1, model };
  const said = { role: 'assistant', ...(text && { content: text }) };
  if (!stream) {
    const message = { content: null, ...said, ...(calls.length > 0 && { tool_calls: calls }) };
    return json({ ...head, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage });
  }
  const object = 'chat.completion.chunk';
  const deltas = [said, ...calls.map((made, index) => ({ tool_calls: [{ index, ...made }] }))];
  const chunks = [
    ...deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] })),
    { choices: [{ index: 0, delta: {}, finish_reason }] },
    { choices: [], usage },
  ];
  const lines = chunks.map((chunk) => `data: ${JSON.stringify({ ...head, object, ...chunk })}\n\n`);
  return { type: 'text/event-stream', body: `${lines.join('')}data: [DONE]\n\n` };
}

/** @param {{tool: string, input: object | string}} part */
function call({ tool: name, input }, id) {
  return { id: `call_${id}`, type: 'function', function: { name, arguments: JSON.stringify(input) } };
}
