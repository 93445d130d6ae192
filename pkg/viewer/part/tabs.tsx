// Tabs: arrow keys go through them, and the tab of the focus is shown immediately.

import type { ComponentChildren, JSX } from 'preact';

export interface Tab<Id extends string> {
  id: Id;
  label: string;
  count?: number;
}

/** The tabs and the panel of the chosen one, whose content is `children`. */
export function Tabs<Id extends string>(props: {
  label: string;
  tabs: Tab<Id>[];
  chosen: Id;
  choose: (id: Id) => void;
  children: ComponentChildren;
}): JSX.Element {
  const { label, tabs, chosen, choose, children } = props;
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLElement }): void => {
    const at = tabs.findIndex((tab) => tab.id === chosen);
    const steps: Record<string, number> = {
      ArrowRight: at + 1,
      ArrowLeft: at + tabs.length - 1,
      Home: 0,
      End: tabs.length - 1,
    };
    const to = steps[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const next = tabs[to % tabs.length]!;
    choose(next.id);
    event.currentTarget.querySelector<HTMLElement>(`#tab-${next.id}`)?.focus();
  };
  return (
    <>
      <div role="tablist" class="tabs" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map(({ id, label: name, count }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`tab-${id}`}
            aria-selected={id === chosen}
            aria-controls="tab-panel"
            tabIndex={id === chosen ? 0 : -1}
            onClick={() => choose(id)}
          >
            {name}
            {count !== undefined && <span class="count">{count.toLocaleString()}</span>}
          </button>
        ))}
      </div>
      <div role="tabpanel" id="tab-panel" aria-labelledby={`tab-${chosen}`} tabIndex={0}>
        {children}
      </div>
    </>
  );
}
