// One index: state, figures, freshness, what is not in it and why, and what can be done with it.

import { useState } from "preact/hooks";
import type { Index } from "../../api/types";
import { useStore } from "../../state/store";
import { count } from "../../words/format";
import { stageName } from "../../words/reasons";
import { ErrorBox, Icon, ProgressBar } from "../parts";
import { useServices } from "../services";
import { Freshness } from "./Freshness";
import { RemoveDialog } from "./RemoveDialog";
import { Breakdown, Figures } from "./Summary";

const STATE_NAMES: Record<Index["state"], string> = {
  waiting: "Waiting",
  indexing: "Indexing",
  ready: "Ready",
  failed: "Failed",
};

export function IndexCard({ index }: { index: Index }) {
  const { address } = useServices();
  const { id, name, root, state, error, summary } = index;
  const { q } = useStore(address.state);
  const headId = `index-${id}`;
  const search = (event: MouseEvent) => {
    event.preventDefault();
    address.commit({ screen: "search", index: id });
  };
  return (
    <li>
      <article class="card" aria-labelledby={headId}>
        <header class="card-head">
          <div class="card-names">
            <h2 id={headId}>{name}</h2>
            <p class="mono root">{root}</p>
          </div>
          <span class={`state ${state}`}>{STATE_NAMES[state] ?? state}</span>
        </header>
        <Progress index={index} />
        {error && (
          <div class="box error" role="alert">
            <Icon name="warn" />
            <div class="box-text">
              <p class="box-title">{error.message}</p>
              {error.hint && <p class="hint">Hint: {error.hint}</p>}
            </div>
          </div>
        )}
        {summary && <Figures summary={summary} />}
        <Freshness index={index} />
        {summary && <Breakdown summary={summary} />}
        <footer class="card-actions">
          <a class="button" href={address.href({ screen: "search", index: id, q })} onClick={search}>
            <Icon name="search" />
            Search<span class="sr-only"> {name}</span>
          </a>
          <Actions index={index} />
        </footer>
      </article>
    </li>
  );
}

function Progress({ index }: { index: Index }) {
  const { progress, state, name } = index;
  if (state !== "indexing" && state !== "waiting") return null;
  const percent = progress?.percent ?? 0;
  const text = progress ? `${stageName(progress.stage)}, ${count(progress.done)} of ${count(progress.total)}` : "waiting for its turn";
  return (
    <div class="progress">
      <p class="progress-text">
        <span>{text}</span>
        <b>{Math.round(percent)} %</b>
      </p>
      <ProgressBar percent={percent} label={`Indexing ${name}`} text={`${Math.round(percent)} %, ${text}`} />
    </div>
  );
}

function Actions({ index }: { index: Index }) {
  const { indexes, notice } = useServices();
  const { id, name, state } = index;
  const [error, setError] = useState<Error | null>(null);
  const [isRemoving, setRemoving] = useState(false);
  const busy = state === "indexing" || state === "waiting";
  const refresh = async (rebuild: boolean) => {
    try {
      await indexes.refresh(id, rebuild);
      setError(null);
      notice.set(rebuild ? `${name} is being rebuilt` : `${name} is being brought up to date`);
    } catch (reason) {
      setError(reason as Error);
    }
  };
  return (
    <>
      <button type="button" class="button" disabled={busy} onClick={() => void refresh(false)}>
        <Icon name="refresh" />
        Refresh<span class="sr-only"> {name}</span>
      </button>
      <button type="button" class="button" disabled={busy} title="Make it anew from the files" onClick={() => void refresh(true)}>
        Rebuild<span class="sr-only"> {name}</span>
      </button>
      <button type="button" class="button danger" onClick={() => setRemoving(true)}>
        <Icon name="trash" />
        Remove<span class="sr-only"> {name}</span>
      </button>
      {error && <ErrorBox error={error} />}
      {isRemoving && <RemoveDialog index={index} onClose={() => setRemoving(false)} />}
    </>
  );
}
