// The sources of files. A source brings what is shown at the beginning, and the rest when it is wanted.

import type { Examination, FileRequest } from '../protocol';
import type { SourceState } from '../messages';

/** The receiver of the frames. */
export interface Sink {
  /** A part of the stream, cut anywhere. */
  take(part: Uint8Array): void;
  /** One frame; its header says how many bytes come with it. */
  frame(header: object, content?: Uint8Array): void;
}

/** Another core, which takes the place of the one in use. */
export interface Next {
  sink: Sink;
  use(): void;
}

/** The callbacks of a source. */
export interface Wired {
  report(state: SourceState): void;
  /** The core has got more. */
  taken(): void;
  another(): Promise<Next>;
}

export abstract class Source implements Wired {
  report!: Wired['report'];
  taken!: Wired['taken'];
  another!: Wired['another'];
  #turn: Promise<unknown> = Promise.resolve();

  /** Brings what is shown at the beginning. */
  abstract start(sink: Sink): Promise<void>;
  /**
   * Brings what a question to the core in use wants, or says of it that it is not there or cannot be read. Rejects
   * where the source itself is not to be read, and reports that as well.
   */
  abstract bring(wants: FileRequest[]): Promise<void>;
  /** Reads everything again. */
  again?(): Promise<void>;
  /** Follows changes, or does not. */
  live?(on: boolean): void;
  /** Answers what only a process on the machine can. */
  examine?(question: Examination): Promise<unknown>;
  stop?(): void;

  /**
   * One after the other: a change that went into a core in the middle of a reading would tear a frame, and one that
   * went into a core beside the one that is read into would be lost with it.
   */
  protected inTurn(act: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(act);
    this.#turn = done.catch(() => {});
    return done;
  }
}

/** The text where a source examines nothing. */
export const NO_SERVER =
  'This examines the work tree, which this page does not reach. In the project, `milepost view` shows it.';

/** Documents above this are not read: the core refuses them by their size. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;
