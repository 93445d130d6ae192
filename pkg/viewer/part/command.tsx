// A line to be typed in a terminal, with a button that copies it.

import { CopyButton } from './copy';

export function CommandLine({ label, text }: { label?: string; text: string }) {
  return (
    <div class="command">
      {label !== undefined && <span class="label">{label}</span>}
      <code>{text}</code>
      <CopyButton text={text} what={label === undefined ? `the command ${text}` : `the command: ${label}`} />
    </div>
  );
}
