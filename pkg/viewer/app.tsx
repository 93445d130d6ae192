// The page once its worker is on its way: listens to the keys, shows the view that the address names.

import { type ComponentChildren, render } from 'preact';
import { useEffect, useErrorBoundary } from 'preact/hooks';

import { visible } from '../src/base/visible.js';
import { Announcer } from './part/announcer';
import { Header } from './part/header';
import { START, address } from './state/address';
import { takeDrops } from './state/dropping';
import { listen, useActions } from './state/shortcuts';
import { helpIsOpen, isChoosing, pageActions } from './state/page';
import { shape } from './state/shape';
import { progress, source, start } from './work/client';
import type { Started } from './work/start';
import { Help } from './view/help';
import { loadPages, missing, pageOf, VIEWS } from './view/index';
import { Unavailable } from './view/unavailable';
import { Welcome } from './view/welcome';

function App() {
  useActions(pageActions);
  const { view, key } = address.value;
  return (
    <>
      <a class="skip" href="#main" onClick={toMain}>
        To the content
      </a>
      <Header />
      <main id="main" tabIndex={-1}>
        <Guard key={`${view}/${key ?? ''}`}>
          <Shown />
        </Guard>
      </main>
      {helpIsOpen.value && <Help />}
      <Announcer />
    </>
  );
}

/** The link's fragment is not an address of the page. */
function toMain(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

/** The last view that was shown: each view is made again. */
let last: string | null = null;

function Shown() {
  const { view, key } = address.value;
  const { connection } = source.value;
  const found = VIEWS.find(({ name }) => name === view);
  useEffect(() => {
    document.title = [found?.title, source.value.name, 'Milepost'].filter(Boolean).join(' · ');
    // A user who went to another view by a key or a link reads on from its start.
    const shown = `${view}/${key}`;
    if (last !== null && last !== shown) document.getElementById('main')?.focus({ preventScroll: true });
    last = shown;
  });
  if (connection === 'none' || isChoosing.value) return <Welcome />;
  if (connection === 'locked' || connection === 'failed') return <Unavailable />;
  if (connection === 'ended' && progress.value.total === 0) return <Unavailable />;
  if (found === undefined) return <NoSuchView view={view} />;
  const Page = pageOf(found.name);
  return Page === undefined ? <Missing /> : <Page of={key} />;
}

/** A view that is not loaded yet, or could not be. */
function Missing() {
  if (missing.value === null) return <p class="notice dim">Loading …</p>;
  return (
    <section class="notice" role="alert">
      <h1>This view could not be loaded</h1>
      <p>{missing}</p>
      <button type="button" onClick={() => void loadPages()}>
        Try again
      </button>
    </section>
  );
}

function NoSuchView({ view }: { view: string }) {
  return (
    <section class="notice">
      <h1>No such page</h1>
      <p>
        This address names the view “{visible(view)}”, which this viewer does not have. <a href="#/overview">All runs</a>
      </p>
    </section>
  );
}

/** A fault in one view leaves the others as they are. */
function Guard({ children }: { children: ComponentChildren }) {
  const [error, again] = useErrorBoundary();
  if (error === undefined) return <>{children}</>;
  return (
    <section class="notice" role="alert">
      <h1>This view could not be shown</h1>
      <p>{visible(error instanceof Error ? error.message : String(error))}</p>
      <button type="button" onClick={again}>
        Try again
      </button>
    </section>
  );
}

/** After the first rows. */
const LATER_MS = 500;

export function run(starting: Promise<Started>): void {
  listen();
  if (shape === 'hosted') takeDrops();
  void start(starting);
  const root = document.getElementById('app');
  // By itself, so that the browser gets in between.
  if (root !== null) setTimeout(() => render(<App />, root));
  // A user who follows a link to a view waits for it; a user who reads the list does not. The list is there immediately
  // unless it is still to be chosen: then the network may be gone by the time that it is.
  if (address.peek().view === START && shape !== 'hosted') setTimeout(() => void loadPages(), LATER_MS);
  else void loadPages();
}
