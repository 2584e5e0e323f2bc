// Name, screens, colours, help.

import { THEMES, type Theme } from "../state/prefs";
import { useStore } from "../state/store";
import { Icon, type IconName } from "./parts";
import { useServices } from "./services";

const THEME_ICONS: Record<Theme, IconName> = { auto: "auto", light: "sun", dark: "moon" };
const THEME_NAMES: Record<Theme, string> = { auto: "as the system", light: "light", dark: "dark" };

export function Header() {
  const { help, indexes } = useServices();
  const { connected } = useStore(indexes.state);
  return (
    <header class="top">
      <div class="top-inner">
        <a class="brand" href="./">
          <img src="./favicon.svg" alt="" width="22" height="22" />
          wherein
        </a>
        <nav class="tabs" aria-label="Screens">
          <ScreenLink screen="search" name="Search" />
          <ScreenLink screen="indexes" name="Indexes" />
        </nav>
        <div class="top-end">
          {!connected && (
            <span class="offline" role="status">
              No connection
            </span>
          )}
          <ThemeButton />
          <button type="button" class="button quiet icon-only" aria-label="Keyboard help" title="Keyboard help (?)" onClick={() => help.set(true)}>
            <span aria-hidden="true">?</span>
          </button>
        </div>
      </div>
    </header>
  );
}

function ScreenLink({ screen, name }: { screen: "search" | "indexes"; name: string }) {
  const { address } = useServices();
  const { screen: current } = useStore(address.state);
  const onClick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    address.commit({ screen });
  };
  return (
    <a class="tab" href={address.href({ screen })} aria-current={current === screen ? "page" : undefined} onClick={onClick}>
      {name}
    </a>
  );
}

function ThemeButton() {
  const { theme } = useServices();
  const value = useStore(theme.value);
  const next = THEMES[(THEMES.indexOf(value) + 1) % THEMES.length] ?? "auto";
  const label = `Colours: ${THEME_NAMES[value]}. Change to ${THEME_NAMES[next]}`;
  return (
    <button type="button" class="button quiet icon-only" aria-label={label} title={label} onClick={() => theme.set(next)}>
      <Icon name={THEME_ICONS[value]} />
    </button>
  );
}
