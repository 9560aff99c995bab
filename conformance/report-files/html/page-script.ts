/** What a page can do with scripts and does without otherwise: copy buttons. It reads nothing and sends nothing. */
export const pageScript = `
for (const button of document.querySelectorAll("button.copy")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const text = button.previousElementSibling.textContent;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      getSelection().selectAllChildren(button.previousElementSibling);
      document.execCommand("copy");
    }
    const words = button.firstChild.data;
    button.firstChild.data = "Copied";
    setTimeout(() => (button.firstChild.data = words), 1500);
  });
}
`;
