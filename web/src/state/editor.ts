// Links that open a place in an editor on this machine. Pure: a root, a path and a line in, an address out.

export interface Editor {
  id: string;
  name: string;
}

export const EDITORS = [
  { id: "vscode", name: "VS Code" },
  { id: "cursor", name: "Cursor" },
  { id: "windsurf", name: "Windsurf" },
  { id: "zed", name: "Zed" },
  { id: "jetbrains", name: "JetBrains" },
  { id: "none", name: "No editor" },
] as const satisfies readonly Editor[];

export type EditorId = (typeof EDITORS)[number]["id"];

/** The address that opens a file of a root at a line; null without an editor. */
export function editorLink(editor: EditorId, root: string, path: string, line: number): string | null {
  const absolute = join(root, path);
  switch (editor) {
    case "vscode":
    case "cursor":
    case "windsurf":
    case "zed":
      return `${editor}://file${escapePath(absolute)}:${line}`;
    case "jetbrains":
      return `idea://open?file=${encodeURIComponent(absolute)}&line=${line}`;
    case "none":
      return null;
  }
}

/** An absolute path with `/`, also for a Windows root (`C:\x` becomes `/C:/x` in an address). */
function join(root: string, path: string): string {
  const isWindows = /^[A-Za-z]:[\\/]|^\\\\/.test(root);
  const plain = isWindows ? root.replaceAll("\\", "/").replace(/^\/\/\?\//, "") : root;
  return `${plain.replace(/\/+$/, "")}/${path}`;
}

function escapePath(path: string): string {
  const escaped = path.split("/").map(encodeURIComponent).join("/").replace(/^([A-Za-z])%3A/, "$1:");
  return escaped.startsWith("/") ? escaped : `/${escaped}`;
}
