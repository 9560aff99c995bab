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
  // the page says what this is, and there is one server
  plugins: [
    () => ({ wrapComponents: { InfoContainer: () => () => null, ServersContainer: () => () => null } }),
  ],
});
