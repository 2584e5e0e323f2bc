// The dialogs that belong to no screen: keyboard help and the question for the token.

import { useState } from "preact/hooks";
import { KEYS } from "./keys";
import { Dialog } from "./parts";
import { useServices } from "./services";

export function HelpDialog({ onClose }: { onClose: () => void }) {
  const { indexes } = useServices();
  const { version } = indexes.state.get();
  return (
    <Dialog title="Keyboard" onClose={onClose}>
      <dl class="keys">
        {KEYS.map(({ keys, what }) => (
          <div key={what} class="keys-row">
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <p class="hint">
        Paths take globs separated by blanks: <code>src/** !**/vendor/**</code> searches below <code>src</code> and leaves{" "}
        <code>vendor</code> out.
      </p>
      {version && <p class="hint">wherein {version}</p>}
    </Dialog>
  );
}

export function TokenDialog({ refused }: { refused: boolean }) {
  const { token } = useServices();
  const [value, setValue] = useState("");
  const onSubmit = (event: Event) => {
    event.preventDefault();
    if (value.trim()) token.give(value.trim());
  };
  return (
    <Dialog title="This server wants a token" onClose={() => token.cancel()}>
      <form class="stack" onSubmit={onSubmit}>
        <p>It was given to whoever started the server. It is kept until this tab is closed.</p>
        {refused && (
          <p class="field-error" role="alert" id="token-error">
            The server does not take that token.
          </p>
        )}
        <label class="field">
          <span>Token</span>
          <input
            type="password"
            autocomplete="off"
            autofocus
            required
            value={value}
            aria-invalid={refused}
            aria-describedby={refused ? "token-error" : undefined}
            onInput={(event) => setValue(event.currentTarget.value)}
          />
        </label>
        <div class="dialog-actions">
          <button type="button" class="button" onClick={() => token.cancel()}>
            Cancel
          </button>
          <button type="submit" class="button primary">
            Go on
          </button>
        </div>
      </form>
    </Dialog>
  );
}
