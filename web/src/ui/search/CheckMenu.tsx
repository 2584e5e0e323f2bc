// A button that opens a list of boxes to tick: several languages, several kinds. It closes on Esc and on a click beside it.

import { useEffect, useId, useRef, useState } from "preact/hooks";

interface CheckMenuProps {
  name: string;
  options: { value: string; name: string; note: string }[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

export function CheckMenu({ name, options, chosen, onChange }: CheckMenuProps) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  useEffect(() => {
    if (!open) return;
    const onDown = (event: Event) => {
      const target = event.target as Node;
      // A click on a label first focuses what the menu stands in: that is not beside it.
      const isAround = event.type === "focusin" && target.contains(root.current);
      if (!root.current?.contains(target) && !isAround) setOpen(false);
    };
    document.addEventListener("pointerdown", onDown);
    document.addEventListener("focusin", onDown);
    return () => {
      document.removeEventListener("pointerdown", onDown);
      document.removeEventListener("focusin", onDown);
    };
  }, [open]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !open) return;
    event.preventDefault();
    setOpen(false);
    button.current?.focus();
  };
  const toggle = (value: string) => {
    onChange(chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value]);
  };
  const names = options.filter(({ value }) => chosen.includes(value)).map((option) => option.name);
  const summary = names.length === 0 ? "all" : names.length < 3 ? names.join(", ") : `${names.length} chosen`;
  return (
    <div class="menu" ref={root} onKeyDown={onKeyDown}>
      <button
        type="button"
        ref={button}
        class={names.length > 0 ? "button menu-button is-set" : "button menu-button"}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        {name}: <b>{summary}</b>
      </button>
      {open && (
        <fieldset class="menu-list" id={id}>
          <legend class="sr-only">{name}</legend>
          {options.length === 0 && <p class="hint">Nothing is indexed yet.</p>}
          {options.map((option) => (
            <label key={option.value} class="menu-option">
              <input type="checkbox" checked={chosen.includes(option.value)} onChange={() => toggle(option.value)} />
              <span class="menu-name">{option.name}</span>
              <span class="menu-note">{option.note}</span>
            </label>
          ))}
        </fieldset>
      )}
    </div>
  );
}
