/** Motion that explains: a card leaves the shoe and lands where it belongs; one that is turned over turns. */
import { cubicOut } from "svelte/easing";
import type { TransitionConfig } from "svelte/transition";

const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Chips that are lost slide to the dealer's tray. */
export function toTray(_: HTMLElement): TransitionConfig {
  return {
    duration: still() ? 0 : 240,
    css: (t, u) => `transform: translateY(${-4 * u}rem); opacity: ${t}`,
  };
}

export function arrives(node: HTMLElement, { turned }: { turned: boolean }): TransitionConfig {
  if (still()) return { duration: 0 };
  if (turned) return { duration: 180, css: (t) => `transform: rotateY(${90 * (1 - t)}deg)` };
  const felt = node.closest(".felt") ?? node.closest(".screen")?.querySelector(".felt");
  const shoe = felt?.querySelector(".shoe");
  if (!shoe) return { duration: 150, css: (t) => `opacity: ${t}` };
  const from = shoe.getBoundingClientRect();
  const to = node.getBoundingClientRect();
  const x = from.left - to.left;
  const y = from.top - to.top;
  return {
    duration: 240,
    easing: cubicOut,
    css: (t, u) =>
      `transform: translate(${x * u}px, ${y * u}px) rotate(${20 * u}deg); opacity: ${Math.min(1, 4 * t)}`,
  };
}
