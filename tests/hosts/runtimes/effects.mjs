// Performs effects by the adapter that is named, and prints the outcomes as JSON:
// `effects.mjs ADAPTER EFFECTS`. Bytes are text on both ways.

const [adapter, effects] = process.argv.slice(2);
const { perform } = await import(adapter);
const outcomes = JSON.parse(effects).map(({ text, ...effect }) => {
  if (text !== undefined) effect.bytes = new TextEncoder().encode(text);
  return shown(perform(effect));
});
console.log(JSON.stringify(outcomes));

function shown({ bytes, ...outcome }) {
  return bytes === undefined ? outcome : { ...outcome, text: new TextDecoder().decode(bytes) };
}
