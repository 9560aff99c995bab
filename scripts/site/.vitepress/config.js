/**
 * The site: its pages are the guides, where they are in the repository, and the reference that `write-reference.ts` writes.
 * A link that leads nowhere fails the build.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { assertLinks } from "../assert-links.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));

const reference = "scripts/site/generated";

/** The guides, as the README lists them. */
const guides = [...textOf("README.md").matchAll(/^\| \[[^\]]+\]\((\S+\.md)\)/gm)].map(([, file]) => file);

/** The sidebar: pages by their files in the repository. Their headings are the titles. */
const groups = {
  "Start here": ["README.md"],
  Guides: guides,
  Reference: [
    ...["command-line", "gaps", "clauses"].map((name) => `${reference}/${name}.md`),
    "openapi/TRACE.md",
  ],
  Project: ["ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"],
};

const sources = Object.values(groups).flat();

/** Pages outside VitePress, in the group `Reference`. */
const apiPages = [
  { text: "The API", link: "/reference/api.html", target: "_self" },
  { text: "The API of the control plane", link: "/reference/control-plane.html", target: "_self" },
];

/** Files of the repository that pages lead to: they are downloads of the site. */
const downloads = new Set();

function textOf(source) {
  return readFileSync(join(root, source), "utf8");
}

/** Where a page is on the site. */
function pathOf(source) {
  return source.replace(reference, "reference").replace(/README\.md$/, "index.md");
}

/** Rewrites a link that works in the repository, relative to the file, into one that works on the site. */
function rewriteLink(link, source) {
  const href = link.attrGet("href");
  const [path, hash] = href.split("#");
  if (path === "" || /^[a-z]+:/.test(href)) return;
  const target = posix.join(posix.dirname(source), path);
  if (sources.includes(target)) {
    link.attrSet("href", linkTo(target) + (hash === undefined ? "" : `#${hash}`));
    return;
  }
  if (!existsSync(join(root, target))) throw new Error(`${source} leads to ${href}, which is not there`);
  downloads.add(target);
  link.attrSet("href", `${base}files/${target}`);
  // the router leaves it to the browser
  link.attrSet("target", "_self");
}

function linkTo(source) {
  return `/${pathOf(source).replace(/(index)?\.md$/, "")}`;
}

const base = process.env.SITE_BASE ?? "/";

/**
 * The pages that Node renders import Vue, which is a package of this folder alone.
 *
 * @type {import("vite").Plugin}
 */
const vueFromHere = {
  name: "vue-from-here",
  enforce: "pre",
  resolveId(id, _importer, { ssr }) {
    return ssr && /^vue(\/server-renderer)?$/.test(id) ? { id, external: true } : null;
  },
};

/** Four columns of a reference fit beside the sidebar, and an id is not broken at its hyphen. */
const style = ".vp-doc table :is(th, td) { padding: 8px 12px } .clause-id { white-space: nowrap }";

/** Clause ids in the texts of a page, `ITEM-13`, each in an element of its own. */
function markClauseIds(children, Token) {
  return children.flatMap((token) => {
    if (token.type !== "text" || !clauseId.test(token.content)) return token;
    return token.content.split(/([A-Z]+-\d\d+)/).map((content, index) => {
      const part = new Token(index % 2 === 0 ? "text" : "html_inline", "", 0);
      part.content = index % 2 === 0 ? content : `<span class="clause-id">${content}</span>`;
      return part;
    });
  });
}

const clauseId = /[A-Z]+-\d\d/;

export default defineConfig({
  title: "Data service emulator",
  description: "A local emulator of the hosted data service, and a conformance suite for deployments.",
  base,
  head: [
    // no request for an icon that is not there
    ["link", { rel: "icon", href: "data:," }],
    ["style", {}, style],
  ],
  srcDir: root,
  outDir: join(root, "scripts/site/dist"),
  cacheDir: join(root, "scripts/site/node_modules/.cache"),
  srcExclude: ["scripts/!(site)/**", "{coverage,reports}/**"],
  rewrites: (source) => pathOf(source),
  cleanUrls: true,
  vite: { plugins: [vueFromHere], publicDir: join(root, reference, "public") },
  markdown: {
    config: (markdown) => {
      markdown.core.ruler.push("links-of-the-repository", ({ tokens, env }) => {
        const source = posix.normalize(env.realPath ?? env.path).replace(root, "");
        for (const token of tokens.flatMap(({ children }) => children ?? []))
          if (token.type === "link_open") rewriteLink(token, source);
        for (const token of tokens)
          if (token.type === "inline") token.children = markClauseIds(token.children, token.constructor);
      });
    },
  },
  themeConfig: {
    search: {
      provider: "local",
      // guides come before long lists and what is for contributors
      options: {
        miniSearch: {
          searchOptions: {
            boostDocument: (id) => (/^\/(openapi\/TRACE|[A-Z])/.test(id) ? 0.25 : 1),
          },
        },
      },
    },
    notFound: {
      title: "Page not found",
      quote: "Search for the page, or choose one from the menu.",
      linkLabel: "Go to the first page",
      linkText: "First page",
    },
    outline: [2, 3],
    sidebar: Object.entries(groups).map(([text, files]) => ({
      text,
      items: [
        ...files.map((source) => ({ text: /^# (.*)/m.exec(textOf(source))[1], link: linkTo(source) })),
        ...(text === "Reference" ? apiPages : []),
      ],
    })),
  },
  buildEnd({ outDir, pages }) {
    const missing = pages.filter((page) => !sources.includes(page));
    if (missing.length > 0) throw new Error(`not in the sidebar: ${missing.join(", ")}`);
    for (const file of downloads) {
      const copy = join(outDir, "files", file);
      mkdirSync(dirname(copy), { recursive: true });
      copyFileSync(join(root, file), copy);
    }
    assertLinks(outDir, base);
  },
});
