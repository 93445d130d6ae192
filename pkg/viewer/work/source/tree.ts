// A folder that the page may read.

export interface Entry {
  name: string;
  isFolder: boolean;
}

/** A file that has not been read. */
export interface Unread {
  modified: number;
  size: number;
  content: Blob;
}

/** Paths are relative to the project's root. */
export interface Tree {
  readonly name: string;
  /** `null` where there is no such folder. */
  list(folder: string): Promise<Entry[] | null>;
  /** `null` where there is no such file. */
  file(path: string): Promise<Unread | null>;
}
