/** Lighthouse over pages: `node audit.mjs PAGES SCORES`; PAGES is a file with a list of {"page", "cookie"}. */
import { readFileSync, writeFileSync } from "node:fs";
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";

const CATEGORIES = ["accessibility", "best-practices"];
const wanted = JSON.parse(readFileSync(process.argv[2], "utf8"));
const chrome = await launch({
  chromePath: process.env.CHROME_PATH,
  chromeFlags: [
    "--headless=new",
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-quic",
    "--no-first-run",
  ],
});
const found = [];
try {
  for (const { page, cookie } of wanted) {
    const result = await lighthouse(page, {
      port: chrome.port,
      onlyCategories: CATEGORIES,
      output: "json",
      logLevel: "error",
      extraHeaders: cookie ? { Cookie: cookie } : {},
      throttlingMethod: "provided",
      maxWaitForLoad: 4000,
    });
    const { categories, audits, runtimeError } = result.lhr;
    const failed = Object.values(audits)
      .filter((audit) => audit.score !== null && audit.score < 1)
      .map((audit) => audit.id);
    found.push({
      page,
      scores: Object.fromEntries(CATEGORIES.map((name) => [name, Math.round(100 * categories[name].score)])),
      failed,
      error: runtimeError?.message ?? "",
    });
  }
} finally {
  chrome.kill();
}
writeFileSync(process.argv[3], JSON.stringify(found));
