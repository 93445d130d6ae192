// Gemini's generateContent, as far as Gemini CLI needs it.

import { json } from './model.mjs';

/** The summary that the model makes of a conversation. */
export const SNAPSHOT = '<state_snapshot>A parser is being written.</state_snapshot>';

/** @type {import('./model.mjs').Wire} */
export const generateContent = {
  isStep: (url) => url.includes(':streamGenerateContent'),
  answer: (parts) => ({
    type: 'text/event-stream',
    body: `data: ${JSON.stringify(said(parts.map(part)))}\n\n`,
  }),
  aside: (url) => json(url.includes(':countTokens') ? { totalTokens: 100 } : said([{ text: SNAPSHOT }])),
};

function part(part) {
  return 'text' in part ? part : { functionCall: { name: part.tool, args: part.input } };
}

function said(parts) {
  return {
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 5000, candidatesTokenCount: 40, totalTokenCount: 5040 },
  };
}
