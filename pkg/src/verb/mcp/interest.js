// Subscribers to changes: what a client said of that, in the words of both eras of the protocol.

import { cancelledBy } from './transport.js';

/** @typedef {import('@modelcontextprotocol/server').JSONRPCMessage} Message */

export class Interest {
  /** Clients of the first era are notified of the list once they know it. */
  #knowsList = false;
  /** @type {Set<string>} */
  #followed = new Set();
  /** @type {Set<string | number>} of the second era: the ids of the requests that are open */
  #listening = new Set();

  /**
   * Takes notice of a message.
   *
   * @param {Message} message
   */
  see(message) {
    if (!('method' in message)) return;
    const { method, params } = message;
    const uri = String(params?.uri);
    if (method === 'resources/list') this.#knowsList = true;
    if (method === 'resources/subscribe') this.#followed.add(uri);
    if (method === 'resources/unsubscribe') this.#followed.delete(uri);
    if (method === 'subscriptions/listen' && 'id' in message) this.#listening.add(message.id);
    const cancelled = cancelledBy(message);
    if (cancelled !== undefined) this.#listening.delete(cancelled);
  }

  /** True if there is any client that follows. */
  get isThere() {
    return this.#knowsList || this.#followed.size > 0 || this.#listening.size > 0;
  }

  /**
   * Returns whether a client of the first era follows this one. In the second era the SDK knows.
   *
   * @param {string} uri
   */
  follows(uri) {
    return this.#followed.has(uri);
  }
}
