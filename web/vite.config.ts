// How the page is built: fixed names, so that a rebuild shows as a change of files and not as new ones, and no inline
// code, because the server's Content-Security-Policy forbids it.

import { defineConfig } from "vite";
import { licenses } from "./build/licenses.mjs";
import { sources } from "./build/sources.mjs";

export default defineConfig({
  base: "./",
  plugins: [licenses(), sources()],
  // `npm run dev` beside a running `wherein serve`.
  server: { proxy: { "/api": process.env["WHEREIN_API"] ?? "http://127.0.0.1:7878" } },
  build: {
    outDir: "../crates/wherein-serve/assets",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    rollupOptions: {
      output: {
        entryFileNames: "app.js",
        assetFileNames: (asset) => (asset.names.some((name) => name.endsWith(".css")) ? "app.css" : "[name][extname]"),
      },
    },
  },
  test: { include: ["tests/unit/**/*.test.ts"] },
} as Parameters<typeof defineConfig>[0]);
