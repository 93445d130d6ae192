// Numbers with what they count.

/** `1 change`, `5,000 changes`: the plural is the noun with an s. */
export function counted(many: number, noun: string): string {
  return `${many.toLocaleString()} ${noun}${many === 1 ? '' : 's'}`;
}
