// The one script of an exported page that is there as it is: it unpacks the page's code and runs it. Packed, the code
// takes a third of its size.

import { unpacked } from './work/packed';

const code = await new Response(unpacked(document.getElementById('milepost-app')?.textContent?.trim() ?? '')).blob();
await import(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })));
