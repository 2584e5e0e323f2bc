// What the search shows when there are no hits to show, and what it says about an index that is not at rest.

import type { Answer, Index } from "../../api/types";
import { useStore } from "../../state/store";
import type { UrlState } from "../../state/url";
import { count, counted } from "../../words/format";
import { stageName } from "../../words/reasons";
import { Icon, ProgressBar } from "../parts";
import { useServices } from "../services";

/** No index yet: how to get one. */
export function NoIndexes() {
  const { address } = useServices();
  const add = () => address.commit({ screen: "indexes" });
  return (
    <div class="welcome">
      <h1 tabIndex={-1}>Nothing is indexed yet</h1>
      <p>wherein finds code by what it does and by what it is called. It needs a folder to look in.</p>
      <p>
        <button type="button" class="button primary" onClick={add}>
          <Icon name="folder" />
          Add a folder
        </button>
      </p>
      <p class="hint">
        Or start the server with one: <code>wherein serve path/to/folder</code>
      </p>
    </div>
  );
}

/** An index, and no question: what can be asked. */
export function Start({ index }: { index: Index }) {
  const { address } = useServices();
  const examples = ["where do we read the configuration", "retry a failed request", "parse command line arguments"];
  const { summary } = index;
  return (
    <div class="welcome">
      <p class="welcome-lead">
        Ask in words what the code of <b>{index.name}</b> does, or name something in it.
      </p>
      {summary && (
        <p class="hint">
          {counted(summary.files, "file")}, {counted(summary.chunks, "chunk")}
          {summary.model ? `, ${summary.model}` : ""}
        </p>
      )}
      <ul class="examples">
        {examples.map((example) => (
          <li key={example}>
            <button type="button" class="button" onClick={() => address.commit({ q: example })}>
              {example}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A question without hits: what narrows it, and what else could be tried. */
export function NoHits({ url }: { url: UrlState }) {
  const { address } = useServices();
  const isNarrowed = url.languages.length > 0 || url.kinds.length > 0 || url.paths.trim() !== "";
  return (
    <div class="welcome">
      <p class="welcome-lead">Nothing found.</p>
      {isNarrowed && (
        <button type="button" class="button" onClick={() => address.commit({ languages: [], kinds: [], paths: "" })}>
          Search without filters
        </button>
      )}
      {url.mode !== "hybrid" && (
        <button type="button" class="button" onClick={() => address.commit({ mode: "hybrid" })}>
          Search by words and meaning
        </button>
      )}
    </div>
  );
}

/** The address names an index that is not here. */
export function UnknownIndex({ id, indexes }: { id: string; indexes: Index[] }) {
  const { address } = useServices();
  return (
    <div class="box warning" role="alert">
      <Icon name="warn" />
      <div class="box-text">
        <p class="box-title">
          There is no index <code>{id}</code> here.
        </p>
        <p class="examples">
          {indexes.map((index) => (
            <button key={index.id} type="button" class="button" onClick={() => address.commit({ index: index.id })}>
              Search {index.name}
            </button>
          ))}
        </p>
      </div>
    </div>
  );
}

/** An index that is being made, has failed, or has changed since the answer. */
export function StateOfIndex({ index, answer, onAgain }: { index: Index; answer: Answer | null; onAgain: () => void }) {
  const { indexes } = useServices();
  const { connected } = useStore(indexes.state);
  if (index.state === "failed" && index.error) {
    return (
      <div class="box error" role="alert">
        <Icon name="warn" />
        <div class="box-text">
          <p class="box-title">
            {index.name} could not be indexed: {index.error.message}
          </p>
          {index.error.hint && <p class="hint">Hint: {index.error.hint}</p>}
        </div>
      </div>
    );
  }
  // A refresh of a whole index takes moments; only one that lacks files is worth a word.
  const isPartial = index.state !== "ready" && !index.summary?.complete;
  if (isPartial && connected) return <Indexing index={index} />;
  const generation = index.summary?.generation ?? 0;
  if (!answer || answer.index !== index.id || generation <= answer.generation) return null;
  return (
    <p class="box">
      <span class="box-text">{index.name} has changed since this answer.</span>
      <button type="button" class="button" onClick={onAgain}>
        Search again
      </button>
    </p>
  );
}

function Indexing({ index }: { index: Index }) {
  const { progress, name, summary } = index;
  const percent = progress?.percent ?? 0;
  const text = progress ? `${stageName(progress.stage)}, ${count(progress.done)} of ${count(progress.total)}` : "waiting for its turn";
  return (
    <div class="box indexing">
      <p class="box-text">
        <b>{name}</b> is being indexed: {Math.round(percent)} % ({text}).
        {summary && summary.files > 0 ? " Hits are from what is done so far." : " Hits come as soon as something is done."}
      </p>
      <ProgressBar percent={percent} label={`Indexing ${name}`} text={`${Math.round(percent)} %, ${text}`} />
    </div>
  );
}
