// A source that is such a folder: what is shown at the beginning, what is wanted later, and what has changed since.

import type { Want } from '../asks';
import type { SourceState } from '../messages';
import { metaOf, type Meta } from './meta';
import { Source, type Next, type Sink } from './source';
import { Told } from './told';
import type { Tree } from './tree';

export abstract class TreeSource extends Source {
  protected readonly meta: Meta;
  /** What the core in use was told. */
  #told: Told | null = null;

  constructor(protected readonly tree: Tree) {
    super();
    this.meta = metaOf({ meta: { root: tree.name } });
  }

  protected abstract state(): SourceState;

  async start(sink: Sink): Promise<void> {
    this.tell({ ...this.state(), connection: 'opening' });
    await this.whole({ sink, use() {} });
    this.tell(this.state());
  }

  whole({ sink, use }: Next): Promise<void> {
    return this.inTurn(async () => {
      const told = new Told(this.tree, this.meta, sink, () => this.taken());
      await told.walk();
      sink.frame({ done: true });
      this.taken();
      this.#told = told;
      use();
    });
  }

  async bring(wants: Want[]): Promise<void> {
    await this.#told?.bring(wants);
  }

  /** Tells what has changed. @param paths where that may be; `null` for anywhere */
  protected update(paths: string[] | null): Promise<void> {
    return this.inTurn(async () => {
      if (paths === null) await this.#told?.walk();
      else await this.#told?.look(paths);
    });
  }
}
