// Where files are from. A source brings what is shown at the beginning, and the rest when it is wanted.

import type { Finding, Want } from '../asks';
import type { SourceState } from '../messages';

/** What the frames go into. */
export interface Sink {
  /** A part of the stream, cut anywhere. */
  take(part: Uint8Array): void;
  /** One frame; its header says how many bytes come with it. */
  frame(header: object, content?: Uint8Array): void;
}

/** What a source is given by whoever uses it. */
export interface Wired {
  tell(state: SourceState): void;
  /** The core has got more. */
  taken(): void;
  /** A sink for all of it anew, which replaces what there was once it is whole. */
  sinkOfAll(): Promise<{ sink: Sink; use(): void }>;
}

export abstract class Source implements Wired {
  tell!: Wired['tell'];
  taken!: Wired['taken'];
  sinkOfAll!: Wired['sinkOfAll'];

  /** Brings what is shown at the beginning. */
  abstract start(sink: Sink): Promise<void>;
  /** Brings what a question wants, or says of it that it is not there or cannot be read. */
  abstract bring(wants: Want[], sink: Sink): Promise<void>;
  /** Brings all of that anew, into another core, which takes the place of the first one afterwards. */
  abstract whole(sink: Sink): Promise<void>;
  /** Reads everything anew. */
  again?(): Promise<void>;
  /** Follows changes, or does not. */
  live?(on: boolean): void;
  doctor?(): Promise<Finding[]>;
  stop?(): void;
}

/** What is said where a source has no doctor. */
export const NO_DOCTOR =
  'Doctor examines the file system, which this page does not reach. In the project, `milepost doctor` tells its findings.';

/** Documents above this are not read: the core refuses them by their size. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;
