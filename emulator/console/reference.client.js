/** Shows the contract under the current profile. */
const place = document.getElementById("reference");
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const followScheme = () => document.documentElement.classList.toggle("dark-mode", dark.matches);

followScheme();
dark.addEventListener("change", followScheme);

SwaggerUIBundle({
  url: place.dataset.document,
  domNode: place,
  deepLinking: true,
  docExpansion: "none",
  filter: true,
  // the document contains clauses and gaps as extensions
  showExtensions: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  // its colours have too little contrast
  syntaxHighlight: false,
  layout: "ConsoleLayout",
  plugins: [consoleLayout],
});

/** Omits parts of the renderer: the page already has a main landmark and a heading, and there is only one server. */
function consoleLayout({ React: { createElement } }) {
  const ConsoleLayout = ({ getComponent, specSelectors }) => {
    if (specSelectors.loadingStatus() === "loading") return null;
    const part = (name) => createElement(getComponent(name, true), { key: name });
    const parts = ["errors", "AuthorizeBtnContainer", "FilterContainer", "operations", "Models"];
    return createElement(
      "div",
      { className: "swagger-ui" },
      createElement(getComponent("SvgAssets")),
      createElement(getComponent("Markdown", true), { source: specSelectors.info().get("description") }),
      parts.map(part),
    );
  };
  // a link within a button is not accessible; the address still changes when an operation is opened
  const DeepLink =
    () =>
    ({ text }) =>
      createElement("span", null, text);
  return { components: { ConsoleLayout }, wrapComponents: { DeepLink } };
}
