/** Shows the contract of the profile in force. */
const place = document.getElementById("reference");

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
});
