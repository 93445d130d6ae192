// A dialog of the browser: it keeps the focus, Escape closes it, the focus goes back to where it was.

import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

import { useActions } from '../state/shortcuts';

interface Props {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}

export function Dialog({ title, onClose, children }: Props) {
  useActions({ back: onClose });
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const { current } = dialog;
    const before = document.activeElement;
    current?.showModal();
    return () => {
      // As long as it is open, nothing else takes the focus.
      current?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  const onClick = (event: MouseEvent) => {
    if (event.target === dialog.current) onClose();
  };
  return (
    <dialog ref={dialog} aria-labelledby="dialog-title" onClose={onClose} onClick={onClick}>
      <div class="dialog">
        <div class="bar">
          <h2 id="dialog-title">{title}</h2>
          <span class="gap" />
          <button type="button" class="quiet" onClick={onClose}>
            Close
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
