/** A serialized value: the name of its kind, its text, and the text's encoding of bytes. */
export type Typed = [kind: string, text: string, encoding?: string];

/** A checkpoint as it is stored. */
export interface StoredTuple {
  /** Its namespace. */
  namespace: string;
  /** Its id. */
  id: string;
  /** The one that it follows from. */
  parent: string | null;
  /** All but the values of its channels. */
  checkpoint: Typed;
  /** Metadata of its maker. */
  metadata: Typed;
  /** The values of its channels. */
  values: [channel: string, value: Typed][];
  /** The writes of its tasks, in the order in which a superstep applies them. */
  writes: [task: string, channel: string, value: Typed][];
}

/**
 * Runs an operation on threads and answers with its value, immediately or later; one that fails throws a
 * `MilepostError`, or rejects with it. The bytes of a long `text` may stand behind the request, as the wire has it.
 */
export type Ask = (operation: string, fields: Record<string, unknown> & { text?: Uint8Array[] }) => any;
