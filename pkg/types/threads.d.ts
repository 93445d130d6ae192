/** What a serializer made: the name of its kind, its text, and how that stands for bytes. */
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
  /** What its maker says of it. */
  metadata: Typed;
  /** The values of its channels. */
  values: [channel: string, value: Typed][];
  /** What its tasks wrote, in the order in which a superstep applies it. */
  writes: [task: string, channel: string, value: Typed][];
}

/**
 * Runs an operation on threads and answers with its value, at once or later; one that fails throws a
 * `MilepostError`, or rejects with it. The bytes of a long `text` may stand behind the request, as the wire has it.
 */
export type Ask = (operation: string, fields: Record<string, unknown> & { text?: Uint8Array[] }) => any;
