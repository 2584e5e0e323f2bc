// The indexes of this server: what is in them, how fresh they are, and adding, refreshing and removing them.

import { useStore } from "../../state/store";
import { bytes, counted } from "../../words/format";
import { ErrorBox } from "../parts";
import { useServices } from "../services";
import { AddFolder } from "./AddFolder";
import { IndexCard } from "./IndexCard";

export function IndexesScreen() {
  const { controller, indexes } = useServices();
  const { indexes: list, error, allowedRoots } = useStore(indexes.state);
  const sum = (of: "files" | "index_bytes") => (list ?? []).reduce((n, { summary }) => n + (summary?.[of] ?? 0), 0);
  return (
    <div class="indexes">
      <header class="screen-head">
        <h1 tabIndex={-1}>Indexes</h1>
        {list && list.length > 0 && (
          <p class="hint">
            {counted(list.length, "folder")}, {counted(sum("files"), "file")}, {bytes(sum("index_bytes"))} on disk
          </p>
        )}
      </header>
      {error && <ErrorBox error={error} onRetry={() => controller.retry()} />}
      <AddFolder allowedRoots={allowedRoots} isFirst={list?.length === 0} />
      {!list && !error && <p class="hint">Loading …</p>}
      <ul class="cards">
        {(list ?? []).map((index) => (
          <IndexCard key={index.id} index={index} />
        ))}
      </ul>
    </div>
  );
}
