/// <reference lib="esnext.disposable" />

/** An encoding of OpenAI's: `o200k` of GPT-4o and the models after it, `cl100k` of GPT-4 and GPT-3.5. */
export type Encoding = 'o200k' | 'cl100k';

/** An encoding by its name here or by tiktoken's. */
export type EncodingName = Encoding | 'o200k_base' | 'cl100k_base';

/**
 * Models whose tokenizer is not public: `claude` is Claude Opus 4.7 and what came after it, `claude-4.6` the models
 * before, `gemini` is Gemini.
 */
export type Family = 'claude' | 'claude-4.6' | 'gemini';

/** The estimate that {@link estimate} returns. */
export interface Estimate {
  /** So many tokens, roughly. */
  tokens: number;
  /** It is no count. */
  isEstimate: true;
  /** The calibration that the estimate rests on. */
  calibration: string;
}

/** The encodings, by their short names. */
export declare const ENCODINGS: readonly Encoding[];

/**
 * Counts the tokens of a text, as tiktoken's `encode_ordinary` makes them: names of special tokens such as
 * `<|endoftext|>` are text, and half a surrogate pair counts as U+FFFD.
 *
 * @throws {MilepostError} `usage`: another encoding or no string, or the vocabulary is not loaded here, see
 * {@link load}; `not_found`: the package `milepost-exact-tokens` or its vocabulary is missing; `corrupt`,
 * `unsupported_version`: the vocabulary is damaged, or of another version of the package; `too_large`: WebAssembly ran
 * out of memory. There is never another count in place of the exact one.
 *
 * @example
 * ```ts
 * import { countTokens, load } from 'milepost/exact-tokens';
 *
 * await load('o200k');
 * const count = countTokens('All 12 tests pass.', 'o200k');
 * ```
 */
export declare function countTokens(text: string, encoding?: EncodingName): number;

/**
 * Returns whether a text has no more tokens than `limit`. It stops as soon as there are more.
 *
 * @throws {MilepostError} as {@link countTokens}
 */
export declare function fits(text: string, limit: number, encoding?: EncodingName): boolean;

/**
 * The longest start of a text that ends where one of its tokens ends, and with a whole character, and that has no
 * more than `limit` tokens by itself: cut off, a text may fall into other tokens than before.
 *
 * @throws {MilepostError} as {@link countTokens}
 */
export declare function truncate(text: string, limit: number, encoding?: EncodingName): string;

/**
 * The ids of the tokens of a text.
 *
 * @throws {MilepostError} as {@link countTokens}
 */
export declare function encode(text: string, encoding?: EncodingName): Uint32Array;

/**
 * The text of token ids. Bytes that are no UTF-8, as a list of ids may begin or end with, become U+FFFD.
 *
 * @throws {MilepostError} as {@link countTokens}; `usage` also for an id that the encoding does not have
 */
export declare function decode(ids: readonly number[] | Uint32Array, encoding?: EncodingName): string;

/**
 * Loads a vocabulary ahead. In pages and bundles it is a module of its own, imported here, so that counting has to
 * wait for it; on Node, Deno and Bun the first count loads it from a file.
 *
 * @throws {MilepostError} as {@link countTokens}
 */
export declare function load(encoding?: EncodingName): Promise<void>;

/** Counts the tokens of a text that comes in pieces, regardless of where it is cut. */
export declare class TokenCounter {
  /** @throws {MilepostError} as {@link countTokens} */
  constructor(encoding?: EncodingName);
  /** Adds the next piece. */
  add(text: string): this;
  /** The tokens of all text so far: what {@link countTokens} says of the pieces put together. */
  get count(): number;
  /** Gives its memory back; then it counts no more. A counter that is forgotten is freed at some time, too. */
  free(): void;
  /** Closes it, for `using`. */
  [Symbol.dispose](): void;
}

/**
 * Estimates the tokens of a text for models whose tokenizer is not public, from what their makers say. It says that
 * it is an estimate, and what it rests on.
 *
 * @throws {MilepostError} `usage`: another family or no string
 */
export declare function estimate(text: string, family: Family): Estimate;
