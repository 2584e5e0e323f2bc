// Adds a folder: a path on the server's machine, below one of the roots that the server allows.

import { Fragment } from "preact";
import { useState } from "preact/hooks";
import { ApiError } from "../../api/client";
import { Icon } from "../parts";
import { useServices } from "../services";

export function AddFolder({ allowedRoots, isFirst }: { allowedRoots: string[]; isFirst: boolean }) {
  const { indexes, notice } = useServices();
  const [root, setRoot] = useState("");
  const [error, setError] = useState<Error | null>(null);
  const [busy, setBusy] = useState(false);
  const onSubmit = async (event: Event) => {
    event.preventDefault();
    if (!root.trim() || busy) return;
    setBusy(true);
    try {
      const { name } = await indexes.add(root.trim());
      setRoot("");
      setError(null);
      notice.set(`${name} was added`);
    } catch (reason) {
      setError(reason as Error);
    }
    setBusy(false);
  };
  const hint = error instanceof ApiError ? error.problem.hint : null;
  return (
    <form class="add" onSubmit={(event) => void onSubmit(event)}>
      {isFirst && <p class="welcome-lead">Nothing is indexed yet. Add the folder of a project to search in it.</p>}
      <label class="add-label" for="add-root">
        Add a folder
      </label>
      <div class="add-row">
        <input
          id="add-root"
          type="text"
          class="mono"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          placeholder={allowedRoots[0] ? `${allowedRoots[0]}/project` : "full path of the folder"}
          value={root}
          aria-invalid={!!error}
          aria-describedby={error ? "add-error add-hint" : "add-hint"}
          onInput={(event) => setRoot(event.currentTarget.value)}
        />
        <button type="submit" class="button primary" disabled={busy}>
          <Icon name="folder" />
          Add
        </button>
      </div>
      {error && (
        <p id="add-error" class="field-error" role="alert">
          {error.message}
          {hint ? `. Hint: ${hint}` : ""}
        </p>
      )}
      <p id="add-hint" class="hint">
        The full path on the machine of the server.{" "}
        {allowedRoots.length > 0 ? (
          <>
            Folders below{" "}
            {allowedRoots.map((allowed, idx) => (
              <Fragment key={allowed}>
                {idx > 0 && ", "}
                <code>{allowed}</code>
              </Fragment>
            ))}{" "}
            may be added.
          </>
        ) : (
          <>
            This server adds none: start it with <code>--allow-root</code> to change that.
          </>
        )}
      </p>
    </form>
  );
}
