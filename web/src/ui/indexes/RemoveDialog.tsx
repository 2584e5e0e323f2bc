// Asks before an index is removed, and says what is not touched.

import { useState } from "preact/hooks";
import type { Index } from "../../api/types";
import { Dialog, ErrorBox } from "../parts";
import { useServices } from "../services";

export function RemoveDialog({ index, onClose }: { index: Index; onClose: () => void }) {
  const { indexes, notice } = useServices();
  const [error, setError] = useState<Error | null>(null);
  const { id, name, root } = index;
  const remove = async () => {
    try {
      await indexes.remove(id);
      notice.set(`The index of ${name} was removed`);
      // The button that opened this is gone with its card.
      document.querySelector<HTMLElement>("main h1")?.focus();
    } catch (reason) {
      setError(reason as Error);
    }
  };
  return (
    <Dialog title={`Remove the index of ${name}?`} onClose={onClose}>
      <div class="stack">
        <p>
          The folder <code>{root}</code> itself is not touched: only what wherein knows about it goes. Adding it again indexes it
          anew.
        </p>
        {error && <ErrorBox error={error} />}
        <div class="dialog-actions">
          <button type="button" class="button" autofocus onClick={onClose}>
            Keep it
          </button>
          <button type="button" class="button danger" onClick={() => void remove()}>
            Remove the index
          </button>
        </div>
      </div>
    </Dialog>
  );
}
