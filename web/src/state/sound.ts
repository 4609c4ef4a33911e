/** Short tones for what one should not miss; silent unless sound is set. */
import { settings } from "./settings.svelte";

const TONES = { turn: [660], won: [523, 659, 784], hit: [523, 659, 784, 1047] } as const;
const SECONDS = 0.16;
let context: AudioContext | null = null;

export function sound(what: keyof typeof TONES): void {
  if (!settings.sound || typeof AudioContext === "undefined") return;
  context ??= new AudioContext();
  const begins = context.currentTime;
  TONES[what].forEach((pitch, n) => {
    const tone = new OscillatorNode(context!, { frequency: pitch, type: "sine" });
    const loudness = new GainNode(context!, { gain: 0.0001 });
    const at = begins + n * SECONDS;
    loudness.gain.exponentialRampToValueAtTime(0.12, at + 0.02);
    loudness.gain.exponentialRampToValueAtTime(0.0001, at + SECONDS);
    tone.connect(loudness).connect(context!.destination);
    tone.start(at);
    tone.stop(at + SECONDS);
  });
}
