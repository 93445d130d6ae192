// Written by `milepost hooks install opencode`, which writes it anew: changes are lost.

import { spawn } from 'node:child_process';

const [program, ...words] = ["node","-e","try{require(process.argv[1])}catch{}","milepost/hook","opencode"];

/** A hook that hangs is given up after this. */
const LIMIT_MS = 10_000;

/** The limit when OpenCode ends, which waits for it. */
const END_LIMIT_MS = 3_000;

/** A hook's text on standard error is kept up to this length. */
const MAX_ERROR = 2_000;

/** Sends one event to the hook: its answer, or an empty one. `report` takes what it said on standard error. */
function send(folder, payload, report, limit = LIMIT_MS) {
  return new Promise((settle) => {
    const hook = spawn(program, words, {
      cwd: folder,
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: limit,
      windowsHide: true,
    });
    let answer = '';
    let error = '';
    hook.stdout.on('data', (text) => (answer += text));
    hook.stderr.on('data', (text) => (error = (error + text).slice(0, MAX_ERROR)));
    hook.stdin.on('error', () => {});
    hook.on('error', (failure) => {
      report(`${program} cannot be started: ${failure.message}`);
      settle({});
    });
    hook.on('close', () => {
      report(error.trim());
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

/** The parts of a message that were typed, or made of a command. */
function textOf(parts) {
  const texts = (parts ?? []).filter((part) => part.type === 'text' && !part.synthetic);
  return texts.map((part) => part.text).join('\n');
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

/** The session that a session was started by, as the server knows it; an empty text without one. */
async function parentOf(client, sessionID) {
  try {
    const { data } = await client.session.get({ path: { id: sessionID } });
    return data?.parentID ?? '';
  } catch {
    return '';
  }
}

export const Milepost = async ({ client, directory }) => {
  /** The hook's answer to the beginning of each open session that is no subagent's: it goes with the first prompt. */
  const begun = new Map();
  /** Of each session the one that it was started by: an empty text for one that no other one started. */
  const parents = new Map();
  /** The kind of agent that a subagent's session runs. */
  const kinds = new Map();
  /** The prompt that OpenCode makes of a slash command, and what the hook said of the command: that goes with it. */
  const commanded = new Map();
  /** The answer to the last event of a session that was sent. */
  const last = new Map();
  /** The reports that were made already. */
  const reported = new Set();

  const report = (message) => {
    if (!message || reported.has(message)) return;
    reported.add(message);
    const logged = client?.app?.log?.({ body: { service: 'milepost', level: 'warn', message } });
    if (logged === undefined) console.error(message);
    else Promise.resolve(logged).catch(() => {});
  };
  /** Sends the events of a session one after the other, so that none comes after its end. */
  const sendNext = (payload, limit) => {
    const { sessionID } = payload;
    const answer = (last.get(sessionID) ?? Promise.resolve()).then(() => send(directory, payload, report, limit));
    last.set(sessionID, answer);
    return answer.finally(() => last.get(sessionID) === answer && last.delete(sessionID));
  };

  /** The session at the root of one, and the subagent that this one is, if it is one. */
  const placeOf = async (sessionID) => {
    let root = sessionID;
    // A session that was started by itself, in a circle, is no subagent.
    for (const seen = new Set(); !seen.has(root); ) {
      seen.add(root);
      // A session that goes on was made by a process of before.
      if (!parents.has(root)) parents.set(root, parentOf(client, root));
      root = (await parents.get(root)) || root;
    }
    return root === sessionID ? { sessionID } : { sessionID: root, agentID: sessionID };
  };

  /** The answer of the hook to a session that begins, or goes on. */
  const begin = (sessionID, source) => {
    if (!begun.has(sessionID)) begun.set(sessionID, sendNext({ event: 'session.created', sessionID, source }));
    return begun.get(sessionID);
  };

  const forget = (sessionID) => {
    for (const known of [begun, parents, kinds, commanded]) known.delete(sessionID);
  };

  return {
    event: async ({ event }) => {
      const { type, properties } = event;
      const sessionID = properties?.sessionID ?? properties?.info?.id;
      if (!sessionID) return;
      if (type === 'session.created') {
        parents.set(sessionID, properties.info?.parentID ?? '');
        if (!properties.info?.parentID) begin(sessionID, 'startup');
      } else if (type === 'session.idle') {
        const place = await placeOf(sessionID);
        const text = await lastText(client, sessionID);
        if (!place.agentID) await sendNext({ event: type, ...place, text });
        else if (text) await sendNext({ event: 'subagent.idle', ...place, agentName: kinds.get(sessionID), text });
      } else if (type === 'session.error') {
        const place = await placeOf(sessionID);
        if (!place.agentID) await sendNext({ event: type, ...place });
      } else if (type === 'session.deleted') {
        const place = await placeOf(sessionID);
        forget(sessionID);
        if (!place.agentID) await sendNext({ event: type, ...place });
      }
    },
    'command.execute.before': async ({ command, sessionID, arguments: rest }, output) => {
      const place = await placeOf(sessionID);
      if (place.agentID) return;
      await begin(sessionID, 'resume');
      const prompt = `/${command} ${rest ?? ''}`.trim();
      const answer = sendNext({ event: 'chat.message', sessionID, prompt });
      commanded.set(sessionID, { made: textOf(output?.parts), answer });
    },
    'chat.message': async ({ sessionID, messageID, agent }, output) => {
      const place = await placeOf(sessionID);
      if (place.agentID) {
        if (agent) kinds.set(sessionID, agent);
        return;
      }
      const answers = [await begin(sessionID, 'resume')];
      begun.set(sessionID, Promise.resolve({}));
      const prompt = textOf(output.parts);
      const command = commanded.get(sessionID);
      commanded.delete(sessionID);
      if (command !== undefined) answers.push(await command.answer);
      // The text that OpenCode makes of a command was not typed. One that ended without its prompt hides none that was.
      const isTyped = command === undefined || !prompt.includes(command.made);
      if (isTyped) answers.push(await sendNext({ event: 'chat.message', sessionID, prompt }));
      for (const text of answers.map(contextOf).filter(Boolean)) {
        const id = `prt_milepost${Date.now().toString(36)}${output.parts.length}`;
        output.parts.push({ id, sessionID, messageID: messageID ?? output.message.id, type: 'text', text, synthetic: true });
      }
    },
    'tool.execute.after': async ({ tool, sessionID, args }, output) => {
      if (!["write","edit","patch","apply_patch","todowrite"].includes(tool)) return;
      const place = await placeOf(sessionID);
      const input = args ?? output.args ?? output.metadata?.args ?? {};
      await sendNext({ event: 'tool.execute.after', ...place, tool, args: input });
    },
    'experimental.session.compacting': async ({ sessionID }, output) => {
      const place = await placeOf(sessionID);
      if (place.agentID) return;
      const text = contextOf(await sendNext({ event: 'experimental.session.compacting', sessionID }));
      if (text) output.context.push(text);
    },
    dispose: async () => {
      const open = [...begun.keys()];
      begun.clear();
      await Promise.all(open.map((sessionID) => sendNext({ event: 'dispose', sessionID }, END_LIMIT_MS)));
    },
  };
};
