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
  readonly take: (page: Page, step: Step) => Promise<void>;
}

function targetOf(page: Page, step: Step): Locator {
  if ("fill" in step) return page.getByLabel(step.fill, { exact: true }).filter({ visible: true }).first();
  if ("choose" in step) return page.getByLabel(step.choose, { exact: true }).first();
  if ("check" in step) return page.getByLabel(step.check).first();
  if ("press" in step) return page.getByRole("button", { name: step.press, exact: true }).first();
  if ("follow" in step) return page.getByRole("link", { name: step.follow, exact: true }).first();
  return page.locator("summary", { hasText: step.unfold }).first();
}

export const byMouse: PageDriver = {
  name: "mouse",
  take: async (page, step) => {
    const target = targetOf(page, step);
    if ("fill" in step) {
      await target.click();
      await target.fill(step.text);
    } else if ("choose" in step) await target.selectOption(step.option);
    else await target.click();
  },
};

export const byKeys: PageDriver = {
  name: "keyboard",
  take: async (page, step) => {
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
const mostStops = 120;

/** Goes on with the tabulator until the target has the focus; one of a group of choices is reached with arrows. */
async function tabTo(page: Page, target: Locator, what: string): Promise<void> {
  await target.waitFor();
  for (let stop = 0; stop < mostStops; stop += 1) {
    const place = await target.evaluate((element: unknown) => {
      const { activeElement } = (globalThis as unknown as Window).document;
      const choice = element as Partial<FocusedElement>;
      if (activeElement === element) return "there";
      return choice.type === "radio" && activeElement?.name === choice.name ? "in its group" : "elsewhere";
    });
    if (place === "there") return;
    await page.keyboard.press(place === "in its group" ? "ArrowDown" : "Tab");
  }
  throw new Error(`the keyboard does not reach ${what}`);
}

/** What the browser of the test has of these; the types of browsers are not among ours. */
interface Window {
  readonly document: { readonly activeElement: FocusedElement | null };
}

interface FocusedElement {
  readonly type: string;
  readonly name: string;
}
