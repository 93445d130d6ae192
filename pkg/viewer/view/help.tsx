// The keys, from the table that they are read from.

import { Dialog } from '../part/dialog';
import { type Group, SHORTCUTS, setSingleKeys, singleKeys } from '../state/shortcuts';
import { helpIsOpen } from '../state/page';

const GROUPS: Group[] = ['Move', 'Look', 'Compare', 'Go to', 'Page'];

/** As it stands on a keyboard. */
const SIGNS: Record<string, string> = { ArrowDown: '↓', ArrowUp: '↑', Escape: 'Esc' };

export function Help() {
  return (
    <Dialog title="Keys" onClose={() => (helpIsOpen.value = false)}>
      <div class="help">
        {GROUPS.map((group) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {SHORTCUTS.filter((shortcut) => shortcut.group === group).map(({ keys, action, text }) => (
                <div key={action}>
                  <dt>
                    <Keys keys={keys} />
                  </dt>
                  <dd>{text}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <label class="choice">
        <input type="checkbox" checked={singleKeys.value} onChange={(event) => setSingleKeys(event.currentTarget.checked)} />
        Letters are keys of this page (turn this off for speech input)
      </label>
    </Dialog>
  );
}

function Keys({ keys }: { keys: readonly string[] }) {
  return (
    <>
      {keys.map((key, at) => (
        <>
          {at > 0 && ' or '}
          {key.split(' ').map((one) => (
            <kbd key={one}>{SIGNS[one] ?? one}</kbd>
          ))}
        </>
      ))}
    </>
  );
}
