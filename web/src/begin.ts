import { mount } from "svelte";
import type { Component } from "svelte";
import { show } from "./state/settings.svelte";
import "./ui/theme.css";
import { speak } from "./words/words.svelte";

/** Put a screen on its page, in the language that is set. */
export function begin(screen: Component): void {
  show();
  void speak().finally(() => mount(screen, { target: document.getElementById("app")! }));
}

/** The last part of the page's address: a table or a jackpot. */
export function named(): string {
  const parts = location.pathname.split("/").filter(Boolean);
  return parts.length > 1 ? decodeURIComponent(parts.at(-1)!) : "";
}
