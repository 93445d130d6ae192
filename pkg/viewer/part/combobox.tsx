// A field that finds one of many by typing: the list is made again for the typed text.

import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { JSX } from 'preact';

export interface Option {
  id: string;
  title: string;
  /** The text beside it, such as its status. */
  note: string;
  /** Under which heading it stands. */
  group: string;
}

/** The time that typing has to rest before the list is made, in ms. */
const REST = 80;

/** The field. `value` is its text while the user does not type; `find` makes the list. */
export function Combobox(props: {
  label: string;
  value: string;
  find: (text: string) => Promise<Option[]>;
  choose: (option: Option) => void;
}): JSX.Element {
  const { label, value, find, choose } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const [options, setOptions] = useState<Option[] | null>(null);
  const [at, setAt] = useState(0);
  const isOpen = typed !== null;

  useEffect(() => {
    if (typed === null) return undefined;
    let overtaken = false;
    const timer = setTimeout(
      () => {
        void find(typed).then((found) => {
          if (overtaken) return;
          setOptions(found);
          setAt(0);
        });
      },
      typed ? REST : 0,
    );
    return () => {
      overtaken = true;
      clearTimeout(timer);
    };
  }, [typed]);

  useEffect(() => {
    if (isOpen) document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [at, options]);

  const close = (): void => {
    setTyped(null);
    setOptions(null);
  };
  const take = (option: Option | undefined): void => {
    if (!option) return;
    close();
    choose(option);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const last = (options?.length ?? 0) - 1;
    switch (event.key) {
      case 'ArrowDown':
        if (isOpen) setAt(at >= last ? 0 : at + 1);
        else setTyped('');
        break;
      case 'ArrowUp':
        if (isOpen) setAt(at <= 0 ? last : at - 1);
        break;
      case 'Enter':
        if (!isOpen) return;
        take(options?.[at]);
        break;
      case 'Escape':
        if (!isOpen) return;
        close();
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  let group = '';
  return (
    <div class="combobox">
      <label for={id}>{label}</label>
      <input
        ref={input}
        id={id}
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && options?.[at] ? `${id}-${at}` : undefined}
        placeholder="Find a run, snapshot or task"
        value={typed ?? value}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onClick={() => {
          if (!isOpen) setTyped('');
        }}
        onFocus={(event) => event.currentTarget.select()}
        onBlur={close}
        onKeyDown={onKeyDown}
      />
      <ul
        role="listbox"
        id={`${id}-list`}
        aria-label={label}
        hidden={!isOpen}
        onMouseDown={(event) => event.preventDefault()}
      >
        {options?.map((option, place) => {
          const heads = option.group !== group;
          group = option.group;
          return (
            <li
              key={option.id}
              id={`${id}-${place}`}
              role="option"
              aria-selected={place === at}
              data-group={heads ? option.group : undefined}
              onClick={() => take(option)}
            >
              <span class="name">{option.title}</span> <span class="note">{option.note}</span>
            </li>
          );
        })}
        {options?.length === 0 && (
          <li role="option" aria-disabled="true" aria-selected="false">
            Nothing is called so
          </li>
        )}
      </ul>
      <span role="status" class="unseen">
        {isOpen && options ? `${options.length} found` : ''}
      </span>
    </div>
  );
}
