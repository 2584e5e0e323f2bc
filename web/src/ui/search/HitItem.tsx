// One hit: where, what, the code, and what can be done with it. Paths, names and code are hostile text and stay text.

import { useRef, useState } from "preact/hooks";
import type { Hit, Parts, Place } from "../../api/types";
import { Code } from "../../code/Code";
import { EDITORS, editorLink } from "../../state/editor";
import { useStore } from "../../state/store";
import { counted, place } from "../../words/format";
import { KIND_NAMES } from "../../words/reasons";
import { copy } from "../clipboard";
import { isForOthers, isOnControl, isTyping } from "../keys";
import { ErrorBox, Icon } from "../parts";
import { useServices } from "../services";
import { useMoreCode } from "./moreCode";
import { Why } from "./Why";

interface HitItemProps {
  hit: Hit;
  index: string;
  /** Where the index lies on the server's machine; null when it is not known. */
  root: string | null;
  active: boolean;
  onFocus: () => void;
  explain: () => Promise<Parts>;
}

export function HitItem({ hit, index, root, active, onFocus, explain }: HitItemProps) {
  const { address, editor, notice } = useServices();
  const editorId = useStore(editor.value);
  const [isWhy, setWhy] = useState(false);
  const code = useMoreCode(index, hit);
  const openLink = useRef<HTMLAnchorElement>(null);
  const href = root === null ? null : editorLink(editorId, root, hit.path, hit.start_line);

  const copyPlace = async () => {
    const text = place(hit);
    notice.set((await copy(text)) ? `Copied ${text}` : "The browser does not let this page copy");
  };
  const close = () => {
    const wasOpen = isWhy || code.isMore;
    setWhy(false);
    code.less();
    return wasOpen;
  };
  const keys: Record<string, () => unknown> = { e: code.toggle, c: () => void copyPlace(), w: () => setWhy(!isWhy) };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isForOthers(event) || isTyping(event)) return;
    if (event.key === "Enter" && !isOnControl(event)) {
      address.commit();
      if (openLink.current) openLink.current.click();
      else code.toggle();
    } else if (event.key === "Escape") {
      if (!close()) return;
      (event.currentTarget as HTMLElement).querySelector<HTMLElement>(".hit")?.focus();
      event.stopPropagation();
    } else if (keys[event.key]) keys[event.key]?.();
    else return;
    event.preventDefault();
  };
  return (
    <li onKeyDown={onKeyDown}>
      <article class="hit" tabIndex={active ? 0 : -1} aria-label={nameOf(hit)} onFocusCapture={onFocus}>
        <header class="hit-head">
          <Title hit={hit} href={href} />
          <div class="hit-actions">
            {href && (
              <a class="button quiet" ref={openLink} href={href} title={`Open in ${editorName(editorId)} (Enter)`}>
                <Icon name="open" />
                <span class="action-name">{editorName(editorId)}</span>
              </a>
            )}
            <Action icon="copy" name="Copy" label={`Copy ${place(hit)}`} keyName="c" onClick={() => void copyPlace()} />
            <Action icon="more" name={code.isMore ? "Less" : "More"} label={code.isMore ? "Show only the snippet" : "Show more of the file"} keyName="e" expanded={code.isMore} onClick={code.toggle} />
            <Action icon="why" name="Why" label="Why this hit" keyName="w" expanded={isWhy} onClick={() => setWhy(!isWhy)} />
          </div>
        </header>
        <Facts hit={hit} />
        {code.error && <ErrorBox error={code.error} />}
        {code.above && <Further direction="above" onClick={code.above} />}
        {code.text && (
          <Code
            text={code.text}
            first={code.first}
            language={hit.language}
            highlights={code.highlights}
            label={`Code of ${hit.path} from line ${code.first}`}
            {...(code.isMore ? { hit: { start: hit.start_line, end: hit.end_line } } : {})}
          />
        )}
        {code.below && <Further direction="below" onClick={code.below} />}
        {hit.copies && hit.copies.length > 0 && <Copies copies={hit.copies} />}
        {isWhy && <Why parts={hit.parts} score={hit.score} explain={explain} />}
      </article>
    </li>
  );
}

function Title({ hit, href }: { hit: Hit; href: string | null }) {
  const slash = hit.path.lastIndexOf("/") + 1;
  const text = (
    <>
      <span class="dir">{hit.path.slice(0, slash)}</span>
      <span class="file">{hit.path.slice(slash)}</span>
      <span class="lines">{place({ ...hit, path: "" })}</span>
    </>
  );
  return <h2 class="hit-title">{href ? <a href={href} tabIndex={-1}>{text}</a> : text}</h2>;
}

function Facts({ hit }: { hit: Hit }) {
  const { symbol, language, kind } = hit;
  return (
    <p class="hit-facts">
      {symbol && (
        <span class="symbol" title={symbol.signature}>
          <span class="symbol-kind">{symbol.kind}</span> {symbol.parent && <span class="symbol-parent">{symbol.parent}.</span>}
          <b>{symbol.name}</b>
        </span>
      )}
      {language && <span class="tag">{language}</span>}
      <span class={`tag kind-${kind}`}>{KIND_NAMES[kind] ?? kind}</span>
    </p>
  );
}

interface ActionProps {
  icon: "copy" | "more" | "why";
  name: string;
  label: string;
  keyName: string;
  expanded?: boolean;
  onClick: () => void;
}

function Action({ icon, name, label, keyName, expanded, onClick }: ActionProps) {
  return (
    <button type="button" class="button quiet" title={`${label} (${keyName})`} aria-expanded={expanded} onClick={onClick}>
      <Icon name={icon} />
      <span class="action-name">{name}</span>
    </button>
  );
}

function Further({ direction, onClick }: { direction: "above" | "below"; onClick: () => void }) {
  return (
    <button type="button" class="further" onClick={onClick}>
      More lines {direction}
    </button>
  );
}

function Copies({ copies }: { copies: Place[] }) {
  return (
    <details class="copies">
      <summary>{counted(copies.length, "copy", "copies")} elsewhere</summary>
      <ul>
        {copies.map((other) => (
          <li key={place(other)} class="mono">
            {place(other)}
          </li>
        ))}
      </ul>
    </details>
  );
}

function nameOf(hit: Hit): string {
  return hit.symbol ? `${hit.symbol.name}, ${place(hit)}` : place(hit);
}

function editorName(id: string): string {
  return EDITORS.find((editor) => editor.id === id)?.name ?? id;
}
