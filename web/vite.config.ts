import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// One entry a role: nobody loads the screens of another.
const entries = [
  "index",
  "player",
  "dealer",
  "pit",
  "sign",
  "surveillance",
  "mathematics",
  "drill",
  "missing",
];

export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: "../src/pitboss/server/static",
    emptyOutDir: true,
    target: "es2023",
    rolldownOptions: { input: entries.map((name) => `${name}.html`) },
  },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8650", ws: true } } },
});
