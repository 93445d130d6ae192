// The one script of an exported page that is there as it is: it unpacks the page's code and runs it. Packed, the code
// takes a third of its size.

import { startExported } from './work/exported';
import { unpacked } from './work/packed';

const starting = startExported();
// The page shows an error, once it is there.
starting.catch(() => {});
const code = await new Response(unpacked(document.getElementById('milepost-app')?.textContent?.trim() ?? '')).blob();
const address = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
const page: typeof import('./app') = await import(address);
page.run(starting);
