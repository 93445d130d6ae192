// The commit that a project is at, from git's own files.

import type { Tree } from './tree';

const SHA = /^[0-9a-f]{40}([0-9a-f]{24})?$/;

/** `null` where it is no repository, or one whose files lie elsewhere. */
export async function headOf(tree: Tree): Promise<string | null> {
  const head = await textOf(tree, '.git/HEAD');
  if (head === null) return null;
  if (SHA.test(head)) return head;
  const name = /^ref: (refs\/[^\s]+)$/.exec(head)?.[1];
  if (name === undefined) return null;
  const loose = await textOf(tree, `.git/${name}`);
  if (loose !== null && SHA.test(loose)) return loose;
  const packed = (await textOf(tree, '.git/packed-refs')) ?? '';
  const line = packed.split('\n').find((line) => line.endsWith(` ${name}`));
  const found = line?.split(' ', 1)[0] ?? '';
  return SHA.test(found) ? found : null;
}

async function textOf(tree: Tree, path: string): Promise<string | null> {
  try {
    const file = await tree.file(path);
    return file === null ? null : (await file.content.text()).trim();
  } catch {
    return null;
  }
}
