import { readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// One page a role: nobody loads the screens of another.
const screens = {
  "index.html": "Lobby",
  "player.html": "Player",
  "dealer.html": "Dealer",
  "pit.html": "Pit",
  "sign.html": "Sign",
  "surveillance.html": "Surveillance",
  "mathematics.html": "Mathematics",
  "drill.html": "Drill",
  "missing.html": "Missing",
};

/** Every page is `page.html` with a screen of its own.
 * @returns {import("vite").Plugin} */
function pages() {
  const screenOf = (id) => screens[basename(id)];
  return {
    name: "pages",
    enforce: "pre",
    resolveId: (id) => (screenOf(id) ? resolve(import.meta.dirname, id) : null),
    load: (id) => {
      const screen = screenOf(id);
      if (!screen) return null;
      return readFileSync(resolve(import.meta.dirname, "page.html"), "utf-8").replace("%SCREEN%", screen);
    },
  };
}

export default defineConfig({
  plugins: [pages(), svelte()],
  build: {
    outDir: "../src/pitboss/server/static",
    emptyOutDir: true,
    target: "es2023",
    rolldownOptions: { input: Object.keys(screens) },
  },
});
