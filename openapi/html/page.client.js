/** Optional behavior of pages: copying texts, and asking for confirmation before data is lost. */
for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;

document.addEventListener("click", async ({ target }) => {
  const button = target instanceof Element ? target.closest("[data-copy]") : null;
  if (button === null) return;
  const source = document.getElementById(button.dataset.copy) ?? button.previousElementSibling;
  try {
    await navigator.clipboard.writeText(source.textContent);
  } catch {
    getSelection().selectAllChildren(source);
    document.execCommand("copy");
  }
  const words = button.firstChild.data;
  button.firstChild.data = "Copied";
  setTimeout(() => (button.firstChild.data = words), 1500);
});

document.addEventListener("submit", (event) => {
  const question = event.submitter?.dataset.question;
  if (question !== undefined && !window.confirm(question)) event.preventDefault();
});
