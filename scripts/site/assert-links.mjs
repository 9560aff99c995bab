import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Throws if a link on the built site leads to a page, file or heading that does not exist. */
export function assertLinks(folder, base) {
  const pages = new Map();
  for (const file of readdirSync(folder, { recursive: true }))
    if (file.endsWith(".html"))
      pages.set(
        file.replaceAll("\\", "/"),
        // scripts contain templates of links, which must be ignored
        readFileSync(join(folder, file), "utf8").replace(/<script\b.*?<\/script>/gs, ""),
      );
  const idsOf = new Map([...pages].map(([file, text]) => [file, idsIn(text)]));
  const dead = [];
  for (const [file, text] of pages)
    for (const [, href] of text.matchAll(/<a [^>]*?href="([^"]+)"/g)) {
      if (/^[a-z]+:/.test(href)) continue;
      const [path, hash] = new URL(href, `http://site${base}${file}`).href
        .slice(`http://site${base}`.length)
        .split("#");
      const page = [path, `${path}.html`, `${path}index.html`].find((name) => pages.has(name));
      const isThere =
        page === undefined ? path !== "" && existsSync(join(folder, decodeURIComponent(path))) : true;
      if (!isThere || (hash && page !== undefined && !idsOf.get(page).has(decodeURIComponent(hash))))
        dead.push(`${file} has a broken link: ${href}`);
    }
  if (dead.length > 0) throw new Error(`dead links:\n${dead.join("\n")}`);
}

function idsIn(text) {
  return new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
}
