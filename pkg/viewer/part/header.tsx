// The bar above every view: where the checkpoints are from, the links to the other views, the picks for compare.

import { address, href } from '../state/address';
import { saying } from '../state/dropping';
import { reopen } from '../state/opening';
import { compare, helpIsOpen, isChoosing, toggleLive } from '../state/page';
import { pickQuery, picks } from '../state/picks';
import { shape } from '../state/shape';
import { nextTheme, theme } from '../state/theme';
import { source, send } from '../work/client';
import type { Connection } from '../work/messages';
import { VIEWS } from '../view/index';
import { Loading } from './loading';
import { Picks } from './picks';

export function Header() {
  const { name, connection } = source.value;
  return (
    <header>
      <div class="bar">
        <a class="brand" href={href('overview', null, pickQuery())}>
          Milepost
        </a>
        {name !== '' && (
          <span class="place" title={name}>
            {name}
          </span>
        )}
        <Live />
        <span class="gap" />
        <button type="button" class="quiet" onClick={nextTheme} aria-keyshortcuts="t">
          Theme: {theme}
        </button>
        <button type="button" class="quiet" onClick={() => (helpIsOpen.value = true)} aria-keyshortcuts="?">
          Keys
        </button>
      </div>
      {connection !== 'none' && <Navigation />}
      {(picks.value.a ?? picks.value.b) !== null && address.value.view !== 'compare' && <Picks onCompare={compare} />}
      <Trouble />
      <Loading />
    </header>
  );
}

function Navigation() {
  const { view, key } = address.value;
  return (
    <nav aria-label="Views">
      {VIEWS.filter(({ of }) => of !== 'one').map(({ name, title }) => (
        <a key={name} href={href(name, null, pickQuery())} aria-current={name === view ? 'page' : undefined}>
          {title}
        </a>
      ))}
      {key?.startsWith('c/') && VIEWS.some(({ name, of }) => name === view && of === 'one') && (
        <span class="of-one" role="group" aria-label="This run">
          {VIEWS.filter(({ of }) => of === 'one').map(({ name, title }) => (
            <a key={name} href={href(name, key, pickQuery())} aria-current={name === view ? 'page' : undefined}>
              {title}
            </a>
          ))}
        </span>
      )}
    </nav>
  );
}

const SAID: Partial<Record<Connection, string>> = {
  opening: 'Opening',
  live: 'Live',
  still: 'Not live',
  lost: 'Connection lost',
  ended: 'Server ended',
};

function Live() {
  const { connection, follows, canReadAgain } = source.value;
  const text = SAID[connection];
  if (connection === 'none') return null;
  const isRereadable = canReadAgain || reopen.value !== null;
  // A source opened by a browser that does not let it be followed; of an exported page it is not expected.
  const isAsOpened = shape === 'hosted' && connection === 'still' && !follows;
  return (
    <>
      {follows ? (
        <button
          type="button"
          class="live"
          data-connection={connection}
          aria-pressed={connection === 'live'}
          aria-keyshortcuts="l"
          onClick={toggleLive}
        >
          {text ?? 'Not live'}
        </button>
      ) : (
        (connection === 'opening' || isAsOpened) && (
          <span class="live" data-connection={connection}>
            {isAsOpened ? 'Not live: shown as of its opening' : text}
          </span>
        )
      )}
      {isRereadable && (
        <button type="button" class="quiet" onClick={readAgain}>
          Read again
        </button>
      )}
      {shape === 'hosted' && (
        <button type="button" class="quiet" aria-pressed={isChoosing.value} onClick={() => (isChoosing.value = !isChoosing.value)}>
          {isAsOpened && !isRereadable ? 'Open again …' : 'Open …'}
        </button>
      )}
    </>
  );
}

function readAgain(): void {
  if (reopen.value !== null) void saying(reopen.value());
  else send({ do: 'again' });
}

/** The error of the source, while the last state stays on the page. */
function Trouble() {
  const { trouble, connection } = source.value;
  if (trouble === null || connection === 'locked' || connection === 'failed') return null;
  return (
    <p class="trouble" role="alert">
      {trouble}{' '}
      <button type="button" class="quiet" onClick={() => send({ do: 'again' })}>
        Try again
      </button>
    </p>
  );
}
