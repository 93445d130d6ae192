// The first view of a hosted page: where checkpoints can be dropped.

import { useRef } from 'preact/hooks';

import { isOver, saying, trouble } from '../state/dropping';
import { canFollow, chooseFolder, openFiles } from '../state/opening';

/** Makes an input one of folders; known to browsers by this name alone. */
const WHOLE = { webkitdirectory: true };

export function Welcome() {
  const folder = useRef<HTMLInputElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const choose = () => {
    if (!canFollow) return folder.current?.click();
    void saying(chooseFolder());
  };
  return (
    <section class="notice welcome" data-over={isOver.value || undefined}>
      <h1>See what the agents did</h1>
      <p>
        Drop a project’s folder here, or its <code>.claude</code> folder, or single checkpoint files.
      </p>
      <div class="bar">
        <button type="button" class="main" onClick={choose}>
          Choose a folder
        </button>
        <button type="button" onClick={() => files.current?.click()}>
          Choose files
        </button>
      </div>
      <input
        ref={folder}
        class="unseen"
        type="file"
        {...WHOLE}
        tabIndex={-1}
        aria-label="Folder"
        onChange={(event) => void saying(openFiles(event.currentTarget.files ?? []))}
      />
      <input
        ref={files}
        class="unseen"
        type="file"
        multiple
        accept=".json,.yaml,.yml"
        tabIndex={-1}
        aria-label="Files"
        onChange={(event) => void saying(openFiles(event.currentTarget.files ?? []))}
      />
      {trouble.value !== null && (
        <p class="trouble" role="alert">
          {trouble}
        </p>
      )}
      <p class="dim">
        Nothing leaves this page: the files are read in this browser, and the page asks no server for anything.{' '}
        {canFollow
          ? 'A folder that is chosen or dropped is followed: changes are shown as they come.'
          : 'This browser shows the state of a folder at its opening: open it again to see what has changed.'}
      </p>
    </section>
  );
}
