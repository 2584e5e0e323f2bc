// Where and how to search: mode, index, languages, kinds, paths, number of hits. Each change is a change of the address.

import { useState } from "preact/hooks";
import type { Kind } from "../../api/types";
import { chosenIndex } from "../../state/indexes";
import { useStore } from "../../state/store";
import { isPattern, KINDS, LIMITS, MODES, type UrlState } from "../../state/url";
import { count } from "../../words/format";
import { KIND_NAMES, languageName, MODE_NAMES } from "../../words/reasons";
import { Icon } from "../parts";
import { useServices } from "../services";
import { CheckMenu } from "./CheckMenu";

export function Filters() {
  const { address } = useServices();
  const url = useStore(address.state);
  const [open, setOpen] = useState(false);
  const n = nFilters(url);
  const clear = () => address.commit({ languages: [], kinds: [], paths: "", ignoreCase: false });
  return (
    <div class="filters">
      <div class="filters-first">
        <ModeChoice />
        <button type="button" class="button filters-toggle" aria-expanded={open} aria-controls="filters" onClick={() => setOpen(!open)}>
          <Icon name="filter" />
          Filters{n > 0 ? ` (${n})` : ""}
        </button>
      </div>
      <div id="filters" class={open ? "filters-rest is-open" : "filters-rest"}>
        <IndexChoice />
        <LanguageMenu />
        <KindMenu />
        <PathField />
        {isPattern(url.mode) && (
          <label class="check">
            <input
              type="checkbox"
              checked={url.ignoreCase}
              onChange={(event) => address.commit({ ignoreCase: event.currentTarget.checked })}
            />
            Ignore case
          </label>
        )}
        <LimitChoice />
        {n > 0 && (
          <button type="button" class="button quiet" onClick={clear}>
            Clear filters
          </button>
        )}
      </div>
    </div>
  );
}

function nFilters(url: UrlState): number {
  return url.languages.length + url.kinds.length + (url.paths.trim() ? 1 : 0);
}

function ModeChoice() {
  const { address } = useServices();
  const { mode: current } = useStore(address.state);
  return (
    <fieldset class="modes">
      <legend class="sr-only">Mode</legend>
      {MODES.map((mode) => (
        <label key={mode} class="mode" title={MODE_NAMES[mode].about}>
          <input type="radio" name="mode" value={mode} checked={mode === current} onChange={() => address.commit({ mode })} />
          <span>{MODE_NAMES[mode].name}</span>
        </label>
      ))}
    </fieldset>
  );
}

function IndexChoice() {
  const { address, indexes } = useServices();
  const { index } = useStore(address.state);
  const { indexes: list } = useStore(indexes.state);
  if (!list || (list.length < 2 && !index)) return null;
  const chosen = chosenIndex(list, index);
  return (
    <label class="choice">
      <span>Index</span>
      <select value={chosen?.id ?? index} onChange={(event) => address.commit({ index: event.currentTarget.value, languages: [] })}>
        {!chosen && <option value={index}>{index} (unknown)</option>}
        {list.map(({ id, name, root }) => (
          <option key={id} value={id} title={root}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function LanguageMenu() {
  const { address, indexes } = useServices();
  const { index, languages } = useStore(address.state);
  const { indexes: list } = useStore(indexes.state);
  const counts = chosenIndex(list, index)?.summary?.by_language ?? {};
  const known = Object.keys(counts).filter((language) => language !== "");
  const names = [...known, ...languages.filter((language) => !known.includes(language))];
  const options = names.map((value) => ({ value, name: languageName(value), note: count(counts[value] ?? 0) }));
  return <CheckMenu name="Language" options={options} chosen={languages} onChange={(chosen) => address.commit({ languages: chosen })} />;
}

function KindMenu() {
  const { address, indexes } = useServices();
  const { index, kinds } = useStore(address.state);
  const { indexes: list } = useStore(indexes.state);
  const counts = chosenIndex(list, index)?.summary?.by_kind ?? {};
  const options = KINDS.map((value) => ({ value, name: KIND_NAMES[value], note: count(counts[value] ?? 0) }));
  return <CheckMenu name="Kind" options={options} chosen={kinds} onChange={(chosen) => address.commit({ kinds: chosen as Kind[] })} />;
}

function PathField() {
  const { address } = useServices();
  const { paths } = useStore(address.state);
  return (
    <label class="choice path-choice">
      <span>Path</span>
      <input
        type="text"
        class="mono"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        placeholder="src/** !**/vendor/**"
        value={paths}
        onInput={(event) => address.type({ paths: event.currentTarget.value })}
        onChange={() => address.commit()}
      />
    </label>
  );
}

function LimitChoice() {
  const { address } = useServices();
  const { limit } = useStore(address.state);
  const limits = [...new Set<number>([...LIMITS, limit])].sort((a, b) => a - b);
  return (
    <label class="choice">
      <span>Hits</span>
      <select value={limit} onChange={(event) => address.commit({ limit: Number(event.currentTarget.value) })}>
        {limits.map((n) => (
          <option key={n} value={n}>
            {n}
          </option>
        ))}
      </select>
    </label>
  );
}
