/** What pages cannot do without a script, and would miss least: copying, and a question before something is lost. */
document.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("[data-copy]") : null;
  if (button === null) return;
  const source = document.getElementById(button.dataset.copy);
  const text = source === null ? button.dataset.copy : source.textContent;
  navigator.clipboard.writeText(text).then(
    () => say(button, "Copied"),
    () => say(button, "Select and copy it by hand"),
  );
});

document.addEventListener("submit", (event) => {
  const question = event.submitter?.dataset.question;
  if (question !== undefined && !window.confirm(question)) event.preventDefault();
});

function say(button, text) {
  const before = button.textContent;
  button.textContent = text;
  setTimeout(() => {
    button.textContent = before;
  }, 1500);
}
