// What keys mean outside the fields. Only questions about events: the actions are the components'.

/** Whether a key belongs to the field it was pressed in. */
export function isTyping(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement | null;
  return !!target?.closest?.("input:not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable]");
}

/** Whether the key is meant for the browser or for an open dialog. */
export function isForOthers(event: KeyboardEvent): boolean {
  return event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey || !!document.querySelector("dialog[open]");
}

/** Whether Enter and the like already do something where they were pressed. */
export function isOnControl(event: KeyboardEvent): boolean {
  return !!(event.target as HTMLElement | null)?.closest?.("a, button, summary, input, select, textarea");
}

export const KEYS: readonly { keys: string[]; what: string }[] = [
  { keys: ["/"], what: "Go to the question" },
  { keys: ["↓", "↑"], what: "Next and previous hit, also from the question" },
  { keys: ["Enter"], what: "Ask at once; on a hit: open it in the editor, or show more of it" },
  { keys: ["e"], what: "Show more of the file around a hit, or less" },
  { keys: ["w"], what: "Why a hit stands where it stands" },
  { keys: ["c"], what: "Copy the place of a hit" },
  { keys: ["Esc"], what: "Close what is open; back to the question; clear it" },
  { keys: ["?"], what: "This help" },
];
