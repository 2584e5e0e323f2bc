// The frame of the page: header, the screen that the address names, dialogs, messages. Screens do the work.

import { useEffect, useRef } from "preact/hooks";
import { useStore } from "../state/store";
import { Header } from "./Header";
import { HelpDialog, TokenDialog } from "./dialogs";
import { IndexesScreen } from "./indexes/IndexesScreen";
import { isForOthers, isTyping } from "./keys";
import { SearchScreen } from "./search/SearchScreen";
import { useServices } from "./services";

/** How long a message stands, in ms. */
const NOTICE_TIME = 4000;

export function App() {
  const { address, help, token } = useServices();
  const { screen, q } = useStore(address.state);
  const isHelp = useStore(help);
  const wanted = useStore(token.wanted);
  useTitle(screen === "indexes" ? "Indexes – wherein" : q ? `${q} – wherein` : "wherein");
  useHelpKey();
  const shown = useRef(screen);
  useEffect(() => {
    // Another screen is read from its start, but the first one does not take the focus.
    if (shown.current !== screen) document.querySelector<HTMLElement>("main h1")?.focus();
    shown.current = screen;
  }, [screen]);
  return (
    <>
      <a class="skip-link" href="#main" onClick={skip}>
        Skip to the content
      </a>
      <Header />
      <main id="main" tabIndex={-1}>
        {screen === "indexes" ? <IndexesScreen /> : <SearchScreen />}
      </main>
      <Notice />
      {isHelp && <HelpDialog onClose={() => help.set(false)} />}
      {wanted && <TokenDialog refused={wanted.refused} />}
    </>
  );
}

/** The hash of the address names the screen, so the link may not change it. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

function useTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}

function useHelpKey(): void {
  const { help } = useServices();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "?" || isForOthers(event) || isTyping(event)) return;
      event.preventDefault();
      help.set(true);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [help]);
}

function Notice() {
  const { notice } = useServices();
  const text = useStore(notice);
  useEffect(() => {
    if (!text) return;
    const timer = setTimeout(() => notice.set(""), NOTICE_TIME);
    return () => clearTimeout(timer);
  }, [text, notice]);
  return (
    <div class="notice-place" role="status">
      {text && <div class="notice">{text}</div>}
    </div>
  );
}
