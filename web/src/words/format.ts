// Numbers as people read them. Pure; English throughout, as the page is, so that a screenshot reads the same everywhere.

const NUMBER = new Intl.NumberFormat("en");

export function count(n: number): string {
  return NUMBER.format(n);
}

/** `1 file`, `2 files`; `plural` where an s is not enough. */
export function counted(n: number, singular: string, plural = `${singular}s`): string {
  return `${count(n)} ${n === 1 ? singular : plural}`;
}

/** Decimal units, as file managers count. */
export function bytes(n: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let value = n;
  let unit = 0;
  // 999.5 would read 1000.
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : 1;
  return `${value.toFixed(digits)} ${units[unit]}`;
}

export function milliseconds(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  return ms < 1000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** How long ago, roughly. */
export function ago(then_ms: number, now_ms: number): string {
  const seconds = Math.max(0, Math.round((now_ms - then_ms) / 1000));
  if (seconds < 2) return "just now";
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  return `${counted(Math.floor(seconds / 86_400), "day")} ago`;
}

/** A score: enough digits to tell neighbours apart. */
export function score(value: number): string {
  return value.toFixed(2).replace("-", "−");
}

/** `path:12-40`, or `path:12` for one line. */
export function place(hit: { path: string; start_line: number; end_line: number }): string {
  const { path, start_line, end_line } = hit;
  return start_line === end_line ? `${path}:${start_line}` : `${path}:${start_line}-${end_line}`;
}
