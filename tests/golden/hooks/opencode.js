// Written by `milepost hooks install opencode`, which writes it anew: changes are lost.

import { spawn } from 'node:child_process';

const [program, ...words] = ["node","-e","try{require(process.argv[1])}catch{}","milepost/hook","opencode"];

/** A hook that hangs is given up after this. */
const LIMIT_MS = 10_000;

/** What one event makes of the hook: its answer, or nothing. */
function told(folder, payload) {
  return new Promise((settle) => {
    const hook = spawn(program, words, {
      cwd: folder,
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: LIMIT_MS,
      windowsHide: true,
    });
    let answer = '';
    hook.stdout.on('data', (text) => (answer += text));
    hook.stdin.on('error', () => {});
    hook.on('error', () => settle({}));
    hook.on('close', () => {
      try {
        settle(JSON.parse(answer));
      } catch {
        settle({});
      }
    });
    hook.stdin.end(JSON.stringify({ ...payload, directory: folder }));
  });
}

/** The text that joins the context, if the hook has one to say. */
function contextOf(answer) {
  return typeof answer?.additionalContext === 'string' ? answer.additionalContext : '';
}

/** The last thing that the assistant said in a session. */
async function lastText(client, sessionID) {
  try {
    const { data } = await client.session.messages({ path: { id: sessionID } });
    const said = (data ?? []).findLast((message) => message.info?.role === 'assistant');
    const texts = (said?.parts ?? []).filter((part) => part.type === 'text');
    return texts.map((part) => part.text).join('\n');
  } catch {
    return '';
  }
}

export const Milepost = async ({ client, directory }) => {
  /** What the hook said when a session began; it goes with the first prompt. */
  const begun = new Map();
  /** Sessions of subagents, which are told nothing. */
  const inner = new Set();
  const tell = (payload) => told(directory, payload);
  return {
    event: async ({ event }) => {
      const { type, properties } = event;
      const sessionID = properties?.sessionID ?? properties?.info?.id;
      if (type === 'session.created') {
        if (properties.info?.parentID) inner.add(sessionID);
        else begun.set(sessionID, tell({ event: type, sessionID, source: 'startup' }));
      } else if (inner.has(sessionID)) {
        if (type === 'session.deleted') inner.delete(sessionID);
      } else if (type === 'session.idle') {
        await tell({ event: type, sessionID, text: await lastText(client, sessionID) });
      } else if (type === 'session.error' || type === 'session.deleted') {
        begun.delete(sessionID);
        await tell({ event: type, sessionID });
      }
    },
    'chat.message': async ({ sessionID, messageID }, output) => {
      if (inner.has(sessionID)) return;
      // A session that goes on was made by a process of before.
      const first = begun.get(sessionID) ?? tell({ event: 'session.created', sessionID, source: 'resume' });
      begun.set(sessionID, Promise.resolve({}));
      const texts = output.parts.filter((part) => part.type === 'text' && !part.synthetic);
      const prompt = texts.map((part) => part.text).join('\n');
      const answers = [await first, await tell({ event: 'chat.message', sessionID, prompt })];
      for (const text of answers.map(contextOf).filter(Boolean)) {
        const id = `prt_milepost${Date.now().toString(36)}${output.parts.length}`;
        output.parts.push({ id, sessionID, messageID: messageID ?? output.message.id, type: 'text', text, synthetic: true });
      }
    },
    'tool.execute.after': async ({ tool, sessionID, args }, output) => {
      if (!["write","edit","patch","apply_patch","todowrite"].includes(tool)) return;
      await tell({ event: 'tool.execute.after', sessionID, tool, args: args ?? output.args ?? output.metadata?.args ?? {} });
    },
    'experimental.session.compacting': async ({ sessionID }, output) => {
      const text = contextOf(await tell({ event: 'experimental.session.compacting', sessionID }));
      if (text) output.context.push(text);
    },
  };
};
