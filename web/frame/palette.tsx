/** The command palette, the list of keys, and the dialog that asks how to stop. */
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { RunView } from '../../src/view/index.ts';
import { send } from '../data/commands.ts';
import { allKeys, lettersOn, setLetters } from '../keys.ts';
import { nextTheme, theme } from '../theme.ts';

export const showsPalette = signal(false);
export const showsHelp = signal(false);
export const showsStop = signal(false);

interface DialogProps {
  readonly label: string;
  readonly close: () => void;
  readonly children: ComponentChildren;
}

/** The browser's own dialog: it keeps the focus inside and restores it afterwards. */
function Dialog({ label, close, children }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    box.current?.showModal();
  }, []);
  return (
    <dialog
      ref={box}
      aria-label={label}
      onClose={close}
      onClick={event => (event.target === box.current ? box.current?.close() : undefined)}
    >
      <div class="inside">{children}</div>
    </dialog>
  );
}

export function Palette({ run }: { readonly run: RunView | undefined }) {
  return (
    <>
      {showsPalette.value ? <Commands /> : null}
      {showsStop.value && run ? <Stop run={run} /> : null}
    </>
  );
}

function Commands() {
  const [words, setWords] = useState('');
  const [at, setAt] = useState(0);
  const close = () => (showsPalette.value = false);
  const all = [
    ...allKeys().filter(({ key }) => !['Ctrl+k', 'Escape', 'j', 'k', 'Enter'].includes(key)),
    { key: '', does: `Colours: ${theme.value}`, run: nextTheme },
    {
      key: '',
      does: lettersOn.value ? 'Switch letter keys off' : 'Switch letter keys on',
      run: () => setLetters(!lettersOn.value),
    },
  ];
  const found = all.filter(({ does }) => does.toLowerCase().includes(words.toLowerCase()));
  const chosen = Math.min(at, Math.max(0, found.length - 1));
  const act = (index: number) => {
    close();
    found[index]?.run();
  };
  return (
    <Dialog label="Commands" close={close}>
      <input
        class="wide"
        aria-label="A command"
        placeholder="Type a command"
        role="combobox"
        aria-expanded="true"
        aria-controls="commands"
        aria-activedescendant={`command-${chosen}`}
        value={words}
        onInput={event => {
          setWords(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={event => {
          if (event.key === 'ArrowDown') setAt(Math.min(found.length - 1, chosen + 1));
          else if (event.key === 'ArrowUp') setAt(Math.max(0, chosen - 1));
          else if (event.key === 'Enter') act(chosen);
          else return;
          event.preventDefault();
        }}
      />
      <ul role="listbox" id="commands" aria-label="Commands">
        {found.map(({ key, does }, index) => (
          <li
            key={does}
            id={`command-${index}`}
            role="option"
            aria-selected={index === chosen}
            onClick={() => act(index)}
          >
            <span>{does}</span>
            <KeyNames keys={key} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function KeyNames({ keys }: { readonly keys: string }) {
  if (keys === '') return null;
  return (
    <span class="keys">
      {keys.split(/[ +](?=.)/).map((name, index) => (
        <kbd key={index}>{name.length === 1 ? name : name.replace('Escape', 'Esc').replace('Arrow', '')}</kbd>
      ))}
    </span>
  );
}

export function KeyHelp() {
  if (!showsHelp.value) return null;
  return (
    <Dialog label="All keys" close={() => (showsHelp.value = false)}>
      <h2>Keys</h2>
      <dl class="keylist">
        {allKeys().map(({ key, does }) => (
          <div key={key}>
            <dt>
              <KeyNames keys={key} />
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <label class="check">
        <input type="checkbox" checked={lettersOn.value} onChange={event => setLetters(event.currentTarget.checked)} />{' '}
        Letter keys (when off: only Esc, Enter and keys with Ctrl)
      </label>
      <form method="dialog">
        <button class="btn" type="submit">
          Close <kbd>Esc</kbd>
        </button>
      </form>
    </Dialog>
  );
}

function Stop({ run }: { readonly run: RunView }) {
  const close = () => (showsStop.value = false);
  const stop = (now: boolean) => {
    close();
    void send(run.id, { type: 'stop', now });
  };
  return (
    <Dialog label="Stop the run" close={close}>
      <h2>Stop {run.name}</h2>
      <p class="soft">Nothing is lost: what is proven is committed, and ralph run continues with the rest.</p>
      <div class="acts">
        <button class="btn go" type="button" onClick={() => stop(false)}>
          After this iteration
        </button>
        <button class="btn" type="button" onClick={() => stop(true)}>
          Now; the attempt is kept under a ref
        </button>
        <form method="dialog">
          <button class="btn bare" type="submit">
            Cancel
          </button>
        </form>
      </div>
    </Dialog>
  );
}
