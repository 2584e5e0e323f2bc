// Small pieces that several screens use: icons, bars, a dialog, an error. They know nothing of search or indexes.

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { ApiError, NetworkError } from "../api/client";
import type { Counts } from "../api/types";
import { count } from "../words/format";
import { skippedReasons } from "../words/reasons";

const ICONS = {
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14m5 12 4.5 4.5",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  open: "M14 4h6v6m0-6-9 9M18 14v6H4V6h6",
  more: "M7 9l5-5 5 5M7 15l5 5 5-5",
  why: "M4 20V10m5 10V4m5 16v-7m5 7V8",
  close: "M6 6l12 12M18 6 6 18",
  filter: "M4 6h16M7 12h10M10 18h4",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8m0-6v2m0 16v2M4.9 4.9l1.4 1.4m11.4 11.4 1.4 1.4M2 12h2m16 0h2M4.9 19.1l1.4-1.4M17.7 6.3l1.4-1.4",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5",
  auto: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18m0 0v18m3-17.4v16.8m3-14.2v11.6",
  refresh: "M20 11a8 8 0 1 0-2.3 6.3M20 5v6h-6",
  trash: "M5 7h14M10 7V4h4v3m-7 0 1 13h8l1-13",
  folder: "M3 6h6l2 2h10v11H3z",
  warn: "M12 4 2.5 20h19zM12 10v4m0 3v.5",
} as const;

export type IconName = keyof typeof ICONS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" width="16" height="16" aria-hidden="true" focusable="false">
      <path d={ICONS[name]} />
    </svg>
  );
}

/** A bar that fills; `label` says what of. */
export function ProgressBar({ percent, label, text }: { percent: number; label: string; text?: string }) {
  const value = Math.round(Math.min(100, Math.max(0, percent)));
  return (
    <div class="bar" role="progressbar" aria-label={label} aria-valuemin={0} aria-valuemax={100} aria-valuenow={value} aria-valuetext={text ?? `${value} %`}>
      <div class="bar-fill" style={{ width: `${value}%` }} />
    </div>
  );
}

/** A modal dialog; the browser keeps the focus inside and gives it back. */
export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const onClick = (event: MouseEvent) => {
    if (event.target === dialog.current) onClose();
  };
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby={titleId} onClose={onClose} onClick={onClick}>
      <div class="dialog-body">
        <header class="dialog-head">
          <h2 id={titleId}>{title}</h2>
          <button type="button" class="button quiet icon-only" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}

/** What went wrong, with its hint and a way on. */
export function ErrorBox({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const hint = error instanceof ApiError ? error.problem.hint : null;
  const isLoss = error instanceof NetworkError;
  return (
    <div class="box error" role="alert">
      <Icon name="warn" />
      <div class="box-text">
        <p class="box-title">{isLoss ? "The server does not answer. Trying again until it does." : sentence(error.message)}</p>
        {hint && <p class="hint">Hint: {hint}</p>}
      </div>
      {onRetry && (
        <button type="button" class="button" onClick={onRetry}>
          Try now
        </button>
      )}
    </div>
  );
}

function sentence(text: string): string {
  const start = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(start) ? start : `${start}.`;
}

/** What was not searched, a line a reason. */
export function SkippedReasons({ skipped, class: name }: { skipped: Counts; class?: string }) {
  return (
    <ul class={name}>
      {skippedReasons(skipped).map(({ reason, words, n }) => (
        <li key={reason}>
          <b>{count(n)}</b> {words}
        </li>
      ))}
    </ul>
  );
}
