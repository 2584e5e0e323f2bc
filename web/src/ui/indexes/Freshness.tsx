// When an index was last known to be true, and whether changes are seen as they happen.

import { useEffect, useState } from "preact/hooks";
import type { Index } from "../../api/types";
import { ago } from "../../words/format";

/** How often "3 s ago" is counted anew, in ms. */
const TICK = 1000;

export function Freshness({ index }: { index: Index }) {
  const { checked_ms, watch } = index;
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK);
    return () => clearInterval(timer);
  }, []);
  return (
    <p class="freshness">
      <span class={watch.active ? "dot on" : "dot"} aria-hidden="true" />
      <span>
        {checked_ms === null ? "Not checked yet" : <time dateTime={new Date(checked_ms).toISOString()}>Checked {ago(checked_ms, now)}</time>}
        {" · "}
        {watch.active ? "watching for changes" : `not watching${watch.note ? `: ${watch.note}` : ""}`}
        {watch.active && watch.note ? ` (${watch.note})` : ""}
      </span>
    </p>
  );
}
