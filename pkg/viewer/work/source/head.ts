// The commit that a project is at, from git's own files.

/** A reader of files by their paths. */
interface Files {
  file(path: string): Promise<{ content: Blob } | null>;
}

const SHA = /^[0-9a-f]{40}([0-9a-f]{24})?$/;

/** `null` where it is no repository, or one whose files are elsewhere. */
export async function headOf(files: Files): Promise<string | null> {
  const head = await textOf(files, '.git/HEAD');
  if (head === null) return null;
  if (SHA.test(head)) return head;
  const name = /^ref: (refs\/[^\s]+)$/.exec(head)?.[1];
  if (name === undefined) return null;
  const loose = await textOf(files, `.git/${name}`);
  if (loose !== null && SHA.test(loose)) return loose;
  const packed = (await textOf(files, '.git/packed-refs')) ?? '';
  const line = packed.split('\n').find((line) => line.endsWith(` ${name}`));
  const found = line?.split(' ', 1)[0] ?? '';
  return SHA.test(found) ? found : null;
}

async function textOf(files: Files, path: string): Promise<string | null> {
  try {
    const file = await files.file(path);
    return file === null ? null : (await file.content.text()).trim();
  } catch {
    return null;
  }
}
