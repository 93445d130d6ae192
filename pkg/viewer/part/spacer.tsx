// The room of items of a list that are not drawn.

export function Spacer({ height }: { height: number }) {
  return height > 0 ? <div style={{ height: `${height}px` }} /> : null;
}

export function TableSpacer({ height }: { height: number }) {
  if (height <= 0) return null;
  return (
    <tbody aria-hidden="true">
      <tr style={{ height: `${height}px` }} />
    </tbody>
  );
}
