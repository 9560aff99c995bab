import type { Locator, Page } from "playwright-core";

/** One thing that a person does on a page. */
export type Step =
  | { readonly fill: string; readonly text: string }
  | { readonly choose: string; readonly option: string }
  | { readonly check: string }
  | { readonly press: string }
  | { readonly follow: string }
  | { readonly unfold: string };

/** How a person gets along on a page: the same steps with either. */
export interface PageDriver {
  readonly name: string;
  readonly perform: (page: Page, step: Step) => Promise<void>;
}

function targetOf(page: Page, step: Step): Locator {
  if ("fill" in step) return page.getByLabel(step.fill, { exact: true }).filter({ visible: true }).first();
  if ("choose" in step) return page.getByLabel(step.choose, { exact: true }).first();
  if ("check" in step) return page.getByLabel(step.check).first();
  if ("press" in step) return page.getByRole("button", { name: step.press, exact: true }).first();
  if ("follow" in step) return page.getByRole("link", { name: step.follow, exact: true }).first();
  return page.locator("summary", { hasText: step.unfold }).first();
}

export const mouseDriver: PageDriver = {
  name: "mouse",
  perform: async (page, step) => {
    const target = targetOf(page, step);
    if ("fill" in step) {
      await target.click();
      await target.fill(step.text);
    } else if ("choose" in step) await target.selectOption(step.option);
    else await target.click();
  },
};

export const keyboardDriver: PageDriver = {
  name: "keyboard",
  perform: async (page, step) => {
    const target = targetOf(page, step);
    await tabTo(page, target, JSON.stringify(step));
    if ("fill" in step) {
      await page.keyboard.press("Control+A");
      await page.keyboard.insertText(step.text);
    } else if ("choose" in step) await page.keyboard.type(step.option);
    else if ("check" in step) await page.keyboard.press("Space");
    else await page.keyboard.press("Enter");
  },
};

/** More than any page has to stop at. */
const maxStops = 120;

/** Goes on with the tabulator until the target has the focus; one of a group of choices is reached with arrows. */
async function tabTo(page: Page, target: Locator, what: string): Promise<void> {
  await target.waitFor();
  // found once: to look for it by its role again at every stop takes longer than all the rest
  let found = await target.elementHandle();
  for (let stop = 0; stop < maxStops; stop += 1) {
    const place = await found.evaluate(placeOfFocus).catch(() => "gone");
    if (place === "there") return;
    if (place === "gone") found = await target.elementHandle();
    else await page.keyboard.press(place === "in its group" ? "ArrowDown" : "Tab");
  }
  throw new Error(`the keyboard does not reach ${what}`);
}

/** Where the focus is, seen from an element, which the next page or what comes in may have replaced. Runs in the browser. */
function placeOfFocus(element: unknown): "there" | "gone" | "in its group" | "elsewhere" {
  const { activeElement } = (globalThis as unknown as Window).document;
  const choice = element as FocusedElement;
  if (activeElement === element) return "there";
  if (!choice.isConnected) return "gone";
  return choice.type === "radio" && activeElement?.name === choice.name ? "in its group" : "elsewhere";
}

/** What the browser of the test has of these; the types of browsers are not among ours. */
interface Window {
  readonly document: { readonly activeElement: FocusedElement | null };
}

interface FocusedElement {
  readonly isConnected: boolean;
  readonly type: string;
  readonly name: string;
}
