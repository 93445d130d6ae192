// A tree that is walked with the arrow keys. Only the rows in sight are drawn.

import { useState } from 'preact/hooks';
import type { ComponentChildren, JSX } from 'preact';

import { Spacer } from './spacer';
import { useWindow } from './window';

/** A node. Its `id` is its own among all of the tree. */
export interface TreeNode {
  id: string;
  label: string;
  /** The part after the label, such as a mark. */
  note?: ComponentChildren;
  /** Its state, in words. */
  say?: string;
  children: TreeNode[];
}

interface Row {
  node: TreeNode;
  level: number;
  place: number;
  of: number;
  parent: number;
}

const ROW_HEIGHT = 28;

function rowsOf(nodes: TreeNode[], closed: ReadonlySet<string>): Row[] {
  const rows: Row[] = [];
  const walk = (some: TreeNode[], level: number, parent: number): void => {
    some.forEach((node, at) => {
      rows.push({ node, level, place: at + 1, of: some.length, parent });
      if (node.children.length && !closed.has(node.id)) walk(node.children, level + 1, rows.length - 1);
    });
  };
  walk(nodes, 1, -1);
  return rows;
}

/**
 * The tree. `chosen` is the id of the node that is shown elsewhere, `choose` is called with another.
 */
export function Tree(props: {
  nodes: TreeNode[];
  label: string;
  chosen: string | null;
  choose: (node: TreeNode) => void;
}): JSX.Element {
  const { nodes, label, chosen, choose } = props;
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [focused, setFocused] = useState<string | null>(null);
  const rows = rowsOf(nodes, closed);
  const seen = useWindow(rows.length, () => ROW_HEIGHT, nodes);
  const found = rows.findIndex((row) => row.node.id === (focused ?? chosen));
  const at = found < 0 ? 0 : found;

  const open = (node: TreeNode, is: boolean): void => {
    const next = new Set(closed);
    if (is) next.delete(node.id);
    else next.add(node.id);
    setClosed(next);
  };
  // A node that has nothing to say of itself is there for its children.
  const act = (node: TreeNode): void => {
    if (node.say === undefined) open(node, closed.has(node.id));
    else choose(node);
  };
  const go = (to: number): void => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, to))];
    if (!row) return;
    setFocused(row.node.id);
    seen.show(rows.indexOf(row), (item) => item.focus({ preventScroll: true }));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[at];
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
    const { node } = row;
    const isOpen = node.children.length > 0 && !closed.has(node.id);
    const keys: Record<string, () => void> = {
      ArrowDown: () => go(at + 1),
      ArrowUp: () => go(at - 1),
      Home: () => go(0),
      End: () => go(rows.length - 1),
      ArrowRight: () => (isOpen ? go(at + 1) : node.children.length && open(node, true)),
      ArrowLeft: () => (isOpen ? open(node, false) : row.parent >= 0 && go(row.parent)),
      Enter: () => act(node),
      ' ': () => act(node),
    };
    const key = keys[event.key];
    if (!key) return;
    event.preventDefault();
    event.stopPropagation();
    key();
  };

  return (
    <>
      <Spacer height={seen.above} />
      <ul role="tree" class="tree" aria-label={label} ref={seen.ref} onKeyDown={onKeyDown}>
        {rows.slice(seen.from, seen.to).map(({ node, level, place, of }, offset) => {
          const index = seen.from + offset;
          const parent = node.children.length > 0;
          return (
            <li
              key={node.id}
              role="treeitem"
              data-at={index}
              tabIndex={index === at ? 0 : -1}
              aria-level={level}
              aria-posinset={place}
              aria-setsize={of}
              aria-expanded={parent ? !closed.has(node.id) : undefined}
              aria-selected={node.id === chosen}
              aria-label={node.say ? `${node.label}, ${node.say}` : undefined}
              style={{ '--level': String(level) }}
              onClick={() => {
                setFocused(node.id);
                act(node);
              }}
            >
              <span class="twist" aria-hidden="true">
                {parent && (closed.has(node.id) ? '▸' : '▾')}
              </span>
              <span class="name">{node.label}</span>
              {node.note}
            </li>
          );
        })}
      </ul>
      <Spacer height={seen.below} />
    </>
  );
}
