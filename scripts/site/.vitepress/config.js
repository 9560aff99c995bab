/**
 * The site consists of the guides in the repository and the reference that `write-reference.ts` generates. A broken
 * link makes the build fail.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { assertLinks } from "../assert-links.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));

const reference = "scripts/site/generated";

/** The guides that the README lists. */
const guides = [...textOf("README.md").matchAll(/^\| \[[^\]]+\]\((\S+\.md)\)/gm)].map(([, file]) => file);

/** The sidebar: files in the repository by group. The headings of the files are the titles. */
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

/** Files in the repository that pages link to; the site offers them as downloads. */
const downloads = new Set();

function textOf(source) {
  return readFileSync(join(root, source), "utf8");
}

/** Returns the path of a page on the site. */
function pathOf(source) {
  return source.replace(reference, "reference").replace(/README\.md$/, "index.md");
}

/** Rewrites a link that is relative to a file in the repository as a link on the site. */
function rewriteLink(link, source) {
  const href = link.attrGet("href");
  const [path, hash] = href.split("#");
  if (path === "" || /^[a-z]+:/.test(href)) return;
  const target = posix.join(posix.dirname(source), path);
  if (sources.includes(target)) {
    link.attrSet("href", linkTo(target) + (hash === undefined ? "" : `#${hash}`));
    return;
  }
  if (!existsSync(join(root, target))) throw new Error(`${source} links to ${href}, which does not exist`);
  downloads.add(target);
  link.attrSet("href", `${base}files/${target}`);
  // the browser follows this link instead of the router
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

/** Makes four columns of a reference fit beside the sidebar, and prevents line breaks at the hyphens of ids. */
const style = ".vp-doc table :is(th, td) { padding: 8px 12px } .clause-id { white-space: nowrap }";

/** Wraps each clause id in a page, such as `ITEM-13`, in its own element. */
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
    // prevents requests for an icon that does not exist
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
      // guides rank above long lists and pages for contributors
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
