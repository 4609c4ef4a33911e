/** What somebody has set on this device. Nothing about cards or money is kept here. */

export type Language = "en" | "zh" | "vi";
export type Theme = "auto" | "dark" | "light";

interface Kept {
  language: Language;
  theme: Theme;
  fourColours: boolean;
  sound: boolean;
}

const NAME = "pitboss-settings";

function first(): Language {
  const wanted = (globalThis.navigator?.language ?? "en").slice(0, 2);
  return wanted === "zh" || wanted === "vi" ? wanted : "en";
}

function read(): Kept {
  const usual: Kept = { language: first(), theme: "auto", fourColours: false, sound: false };
  try {
    return { ...usual, ...(JSON.parse(localStorage.getItem(NAME) ?? "{}") as Partial<Kept>) };
  } catch {
    return usual;
  }
}

export const settings = $state<Kept>(read());

export function keep(): void {
  try {
    localStorage.setItem(NAME, JSON.stringify(settings));
  } catch {
    // A browser that keeps nothing forgets it with the page.
  }
  show();
}

/** Put the theme and language on the page. */
export function show(): void {
  document.documentElement.dataset["theme"] = settings.theme;
  document.documentElement.lang = settings.language === "zh" ? "zh-Hans" : settings.language;
}
