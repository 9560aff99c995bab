/** Shows the contract of the profile in force. */
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
  // clauses and gaps stand in the document as extensions
  showExtensions: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  // its colours are too faint to read
  syntaxHighlight: false,
  layout: "ConsoleLayout",
  plugins: [consoleLayout],
});

/** The parts of the renderer that are wanted: the page has a main landmark and a heading, and there is one server. */
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
  // a link within a button is none to many; the address follows what is opened all the same
  const DeepLink =
    () =>
    ({ text }) =>
      createElement("span", null, text);
  return { components: { ConsoleLayout }, wrapComponents: { DeepLink } };
}
