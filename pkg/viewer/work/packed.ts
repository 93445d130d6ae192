// The content of an exported page: base64 of gzip.

/** The bytes of such a text, as they are unpacked. */
export function unpacked(text: string): ReadableStream<Uint8Array<ArrayBuffer>> {
  const bytes = fromBase64(text);
  return new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const known = Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> };
  if (known.fromBase64 !== undefined) return known.fromBase64(text);
  const packed = atob(text);
  const bytes = new Uint8Array(packed.length);
  for (let at = 0; at < packed.length; at += 1) bytes[at] = packed.charCodeAt(at);
  return bytes;
}
