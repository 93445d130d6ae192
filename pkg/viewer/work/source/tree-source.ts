// A source that is such a folder: what is shown at the beginning, what is wanted later, and what has changed since.

import type { FileRequest } from '../protocol';
import type { SourceState } from '../messages';
import { metaOf, type Meta } from './meta';
import { Source, type Sink } from './source';
import { FolderSync } from './folder-sync';
import type { Tree } from './tree';

export abstract class TreeSource extends Source {
  protected readonly meta: Meta;
  /** The state of the core in use. */
  #sync: FolderSync | null = null;

  constructor(protected readonly tree: Tree) {
    super();
    this.meta = metaOf({ meta: { root: tree.name } });
  }

  protected abstract state(): SourceState;

  async start(sink: Sink): Promise<void> {
    this.report({ ...this.state(), connection: 'opening' });
    await this.inTurn(async () => {
      const sync = new FolderSync(this.tree, this.meta, sink, () => this.taken());
      await sync.walk();
      sink.frame({ done: true });
      this.taken();
      this.#sync = sync;
    });
    this.report(this.state());
  }

  async bring(wants: FileRequest[]): Promise<void> {
    await this.#sync?.bring(wants);
  }

  /** Sends what has changed. @param paths where that may be; `null` for anywhere */
  protected update(paths: string[] | null): Promise<void> {
    return this.inTurn(async () => {
      if (paths === null) await this.#sync?.walk();
      else await this.#sync?.look(paths);
    });
  }
}
