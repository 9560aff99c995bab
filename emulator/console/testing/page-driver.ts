import type { Locator, Page } from "playwright-core";

/** One action of a user on a page. */
export type Step =
  | { readonly fill: string; readonly text: string }
  | { readonly choose: string; readonly option: string }
  | { readonly check: string }
  | { readonly press: string }
  | { readonly follow: string }
  | { readonly unfold: string };

/** Performs actions with the mouse or the keyboard. */
export interface PageDriver {
  readonly name: string;
  readonly perform: (page: Page, step: Step) => Promise<void>;
}

function locateTarget(page: Page, step: Step): Locator {
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
    const target = locateTarget(page, step);
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
    const target = locateTarget(page, step);
    await tabTo(page, target, JSON.stringify(step));
    if ("fill" in step) {
      await page.keyboard.press("Control+A");
      await page.keyboard.insertText(step.text);
    } else if ("choose" in step) await page.keyboard.type(step.option);
    else if ("check" in step) await page.keyboard.press("Space");
    else await page.keyboard.press("Enter");
  },
};

/** Maximum number of presses of the Tab key to reach an element. */
const maxStops = 120;

/** Presses Tab until an element has the focus. In a group of radio buttons, presses arrow keys. */
async function tabTo(page: Page, target: Locator, what: string): Promise<void> {
  await target.waitFor();
  // find the element only once, because finding it by its role takes longer than everything else
  let found = await target.elementHandle();
  for (let stop = 0; stop < maxStops; stop += 1) {
    const place = await found.evaluate(placeOfFocus).catch(() => "gone");
    if (place === "there") return;
    if (place === "gone") found = await target.elementHandle();
    else await page.keyboard.press(place === "in its group" ? "ArrowDown" : "Tab");
  }
  throw new Error(`the keyboard does not reach ${what}`);
}

/**
 * Returns where the focus is relative to an element; "gone" if the element is no longer on the page. Runs in the
 * browser.
 */
function placeOfFocus(element: unknown): "there" | "gone" | "in its group" | "elsewhere" {
  const { activeElement } = (globalThis as unknown as Window).document;
  const choice = element as FocusedElement;
  if (activeElement === element) return "there";
  if (!choice.isConnected) return "gone";
  return choice.type === "radio" && activeElement?.name === choice.name ? "in its group" : "elsewhere";
}

/** The browser globals that the function above uses, because the project does not include the types of browsers. */
interface Window {
  readonly document: { readonly activeElement: FocusedElement | null };
}

interface FocusedElement {
  readonly isConnected: boolean;
  readonly type: string;
  readonly name: string;
}
