// The room of items of a list that are not drawn. Where it alone is in sight, the browser's scroll anchoring would
// hold on to it and be led on to the end of the list, since it is elsewhere once the items are drawn.

export function Spacer({ height }: { height: number }) {
  return height > 0 ? <div style={{ height: `${height}px`, overflowAnchor: 'none' }} /> : null;
}

export function TableSpacer({ height }: { height: number }) {
  if (height <= 0) return null;
  return (
    <tbody aria-hidden="true" style={{ overflowAnchor: 'none' }}>
      <tr style={{ height: `${height}px` }} />
    </tbody>
  );
}
